import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { WordQuery } from '../ports/query.ts';

/** Maximum number of words in one search. */
const MAX_WORDS = 100;
/** Maximum number of nested brackets. */
const MAX_DEPTH = 10;

/** Matches texts that contain a letter or digit and can therefore be searched. */
const HAS_WORD = /[\p{L}\p{N}]/u;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Words that are frequent in captions but rare in names and labels. They are used only in phrases, or if the query has no other word. */
const STOP_WORDS = new Set(
  'a an and are as at be by for from has have in into is it its of on or that the their there this to was were with'.split(
    ' ',
  ),
);

type Token =
  | { kind: 'and' | 'or' | 'not' | 'open' | 'close' }
  | { kind: 'phrase'; text: string; is_prefix: boolean; is_quoted: boolean };

/**
 * Parses a full-text query: `AND` (also `and`, `+` or a space), `OR`, `-word`, `"a phrase"`, `word*` for a prefix, and brackets. AND binds
 * more tightly than OR. Invalid syntax is ignored, as in other search boxes: signs without words, operators without operands, unpaired
 * brackets.
 * @throws AppError `invalid_input` for more words or nested brackets than allowed.
 */
export function parseWords(text: string): WordQuery {
  const tokens = withoutStopWords(tokenize(text));
  if (tokens.filter(({ kind }) => kind === 'phrase').length > MAX_WORDS) {
    throw new AppError('invalid_input', message('text_query_too_many_words', { limit: MAX_WORDS }));
  }
  return new Parser(tokens).parse();
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [, sign, quoted, word] of text.matchAll(/([()+-])|"([^"]*)"?|([^\s()"]+)/gu)) {
    if (sign !== undefined) tokens.push({ kind: SIGNS[sign as keyof typeof SIGNS] });
    else if (quoted !== undefined) addPhrase(tokens, { text: quoted, is_prefix: false, is_quoted: true });
    else if (word === 'AND' || word === 'and') tokens.push({ kind: 'and' });
    else if (word === 'OR') tokens.push({ kind: 'or' });
    else if (word !== undefined) {
      const isPrefix = word.endsWith('*');
      const whole = word.replace(/\*+$/, '');
      addPhrase(tokens, {
        text: UUID.test(whole) ? whole.replaceAll('-', '') : whole,
        is_prefix: isPrefix,
        is_quoted: false,
      });
    }
  }
  return tokens;
}

const SIGNS = { '(': 'open', ')': 'close', '+': 'and', '-': 'not' } as const;

function addPhrase(tokens: Token[], phrase: { text: string; is_prefix: boolean; is_quoted: boolean }): void {
  if (HAS_WORD.test(phrase.text)) tokens.push({ kind: 'phrase', ...phrase });
  // A minus sign without words negates nothing.
  else if (tokens.at(-1)?.kind === 'not') tokens.pop();
}

function withoutStopWords(tokens: Token[]): Token[] {
  const isStopWord = (token: Token, at: number) =>
    token.kind === 'phrase' &&
    !token.is_quoted &&
    STOP_WORDS.has(token.text.toLowerCase()) &&
    tokens[at - 1]?.kind !== 'not';
  const others = tokens.filter((token, at) => !isStopWord(token, at));
  return others.some(({ kind }) => kind === 'phrase') ? others : tokens;
}

/** Recursive-descent parser. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): WordQuery {
    const parts: WordQuery[] = [];
    while (this.#at < this.#tokens.length) {
      const part = this.#anyOf();
      if (part) parts.push(part);
      // Skips an unpaired closing bracket.
      this.#at += 1;
    }
    return join('and', parts) ?? { op: 'or', of: [] };
  }

  #anyOf(): WordQuery | undefined {
    const parts: WordQuery[] = [];
    do {
      const part = this.#allOf();
      if (part) parts.push(part);
    } while (this.#take('or'));
    return join('or', parts);
  }

  #allOf(): WordQuery | undefined {
    const parts: WordQuery[] = [];
    for (;;) {
      while (this.#take('and'));
      const kind = this.#tokens[this.#at]?.kind;
      if (kind === undefined || kind === 'or' || kind === 'close') return join('and', parts);
      const part = this.#one();
      if (part) parts.push(part);
    }
  }

  #one(): WordQuery | undefined {
    let isDenied = false;
    while (this.#take('not')) isDenied = true;
    const token = this.#tokens[this.#at];
    let found: WordQuery | undefined;
    if (token?.kind === 'phrase') {
      this.#at += 1;
      found = { op: 'phrase', text: token.text, is_prefix: token.is_prefix };
    } else if (this.#take('open')) {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH)
        throw new AppError('invalid_input', message('text_query_too_deep', { limit: MAX_DEPTH }));
      found = this.#anyOf();
      this.#depth -= 1;
      this.#take('close');
    }
    return found && isDenied ? { op: 'not', of: found } : found;
  }

  #take(kind: Token['kind']): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false;
    this.#at += 1;
    return true;
  }
}

function join(op: 'and' | 'or', parts: WordQuery[]): WordQuery | undefined {
  return parts.length > 1 ? { op, of: parts } : parts[0];
}
