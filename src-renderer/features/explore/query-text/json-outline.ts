export type JsonPath = readonly (string | number)[];

/** A part of a JSON text, or an empty place for one. */
export interface JsonSpot {
  kind: 'key' | 'value' | 'container';
  /** Keys and indices from the outermost value. The path of a key ends with the key itself. */
  path: JsonPath;
  start: number;
  end: number;
  /** Content of a key or plain value, without quotes. */
  text: string;
  /** Whether text typed at its end belongs to it: empty places, bare words and unterminated strings. */
  isOpen: boolean;
  /** An empty place after another part, which needs a comma first. */
  needsComma: boolean;
}

export interface JsonOutline {
  spots: readonly JsonSpot[];
  /** Offset from which the text is not JSON. */
  wrongAt: number | undefined;
}

const BARE_WORD = /[^\s,:{}[\]"]+/y;

/** The parts of a text that may be incomplete JSON, as far as it can be parsed. */
export function outlineJson(text: string): JsonOutline {
  const spots: JsonSpot[] = [];
  let at = 0;
  let wrongAt: number | undefined;

  const noteWrong = (place = at) => {
    wrongAt ??= place;
  };
  /** Skips spaces. Returns the offset where they start. */
  const skipSpace = () => {
    const start = at;
    while (/\s/.test(text[at] ?? '')) at += 1;
    return start;
  };
  const addRoom = (kind: 'key' | 'value', path: JsonPath, start: number, needsComma = false) =>
    spots.push({ kind, path, start, end: at, text: '', isOpen: true, needsComma });

  const readString = (): { text: string; isOpen: boolean } => {
    const start = at;
    at += 1;
    while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
    at = Math.min(at, text.length);
    const isOpen = text[at] !== '"';
    const inside = text.slice(start + 1, at);
    if (!isOpen) at += 1;
    try {
      return { text: String(JSON.parse(`"${inside}"`)), isOpen };
    } catch {
      noteWrong(start);
      return { text: inside, isOpen };
    } finally {
      if (isOpen) noteWrong(start);
    }
  };
  const readBareWord = (): { text: string; isOpen: boolean } => {
    BARE_WORD.lastIndex = at;
    const word = BARE_WORD.exec(text)?.[0] ?? '';
    at += word.length;
    return { text: word, isOpen: true };
  };
  const isBareValue = (word: string) => /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(word);

  /** @returns Whether parsing can continue after it. */
  const readValue = (path: JsonPath): boolean => {
    const before = skipSpace();
    const first = text[at];
    if (first === '[' || first === '{') return readContainer(path, first);
    if (first === undefined || ',:]}'.includes(first)) {
      addRoom('value', path, before);
      noteWrong();
      return first !== undefined && first !== ':';
    }
    const start = at;
    const isString = first === '"';
    const read = isString ? readString() : readBareWord();
    if (!isString && !isBareValue(read.text)) noteWrong(start);
    spots.push({ kind: 'value', path, start, end: at, ...read, needsComma: false });
    return true;
  };
  /** A key, its colon and its value. */
  const readMember = (path: JsonPath): boolean => {
    const start = at;
    const isString = text[at] === '"';
    const read = isString ? readString() : readBareWord();
    if (!isString) noteWrong(start);
    if (read.text === '' && at === start) return false;
    spots.push({ kind: 'key', path: [...path, read.text], start, end: at, ...read, needsComma: false });
    skipSpace();
    if (text[at] !== ':') {
      noteWrong();
      return text[at] === ',' || text[at] === '}';
    }
    at += 1;
    return readValue([...path, read.text]);
  };
  const readContainer = (path: JsonPath, opening: '[' | '{'): boolean => {
    const [closing, kind] = opening === '[' ? [']', 'value' as const] : ['}', 'key' as const];
    const container: JsonSpot = {
      kind: 'container',
      path,
      start: at,
      end: at,
      text: '',
      isOpen: false,
      needsComma: false,
    };
    spots.push(container);
    const roomPath = (index: number) => [...path, kind === 'value' ? index : ''];
    const close = () => {
      at += 1;
      container.end = at;
      return true;
    };
    at += 1;
    for (let index = 0; ; index += 1) {
      const before = skipSpace();
      if (text[at] === undefined || text[at] === closing) {
        addRoom(kind, roomPath(index), before);
        if (index > 0 || text[at] === undefined) noteWrong();
        container.end = at;
        return text[at] === closing && close();
      }
      if (!(kind === 'value' ? readValue([...path, index]) : readMember(path))) break;
      const after = skipSpace();
      if (text[at] === ',') {
        at += 1;
        continue;
      }
      addRoom(kind, roomPath(index + 1), after, true);
      if (text[at] === closing) return close();
      break;
    }
    noteWrong();
    container.end = at;
    return false;
  };

  readValue([]);
  skipSpace();
  if (at < text.length) noteWrong();
  return { spots, wrongAt };
}

/** The part or empty place at a caret. */
export function spotAt({ spots }: JsonOutline, caret: number): JsonSpot | undefined {
  return spots.find(
    ({ kind, start, end, isOpen }) =>
      kind !== 'container' && (isOpen ? start <= caret && caret <= end : start < caret && caret < end),
  );
}
