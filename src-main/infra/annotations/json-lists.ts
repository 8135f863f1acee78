import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

/** Maximum size in bytes of a list item. */
const MAX_ITEM_BYTES = 64 * 1024 * 1024;
/** Maximum size in bytes of a string, also of one that is skipped. */
const MAX_STRING_BYTES = 32 * 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export interface ListItem {
  /** The key of the list in the object. */
  list: string;
  /** Index in the list, from 1. */
  place: number;
  value: unknown;
}

/**
 * Reads the items of some lists of one large JSON object, such as `{"images": […], "annotations": […]}`, one after the other with constant
 * memory use: only the items are parsed, everything else is skipped. Yields one batch per chunk of the source.
 * @param lists Keys of the lists.
 * @param seen Receives the keys of the lists that exist.
 * @throws AppError `invalid_request` when the source is no such object; errors of the source.
 */
export async function* readJsonLists(
  source: AsyncIterable<Buffer>,
  lists: ReadonlySet<string>,
  seen: Set<string>,
): AsyncGenerator<ListItem[]> {
  const scanner = createScanner(lists, seen);
  for await (const chunk of source) {
    const items = scanner.scan(chunk);
    if (items.length > 0) yield items;
  }
  scanner.finish();
}

/**
 * Tracks strings and nesting. Strings are skipped by a native search for their end, everything else is checked byte by byte. All bytes that
 * it checks are ASCII, which UTF-8 never uses inside other characters.
 */
function createScanner(
  lists: ReadonlySet<string>,
  seen: Set<string>,
): { scan(chunk: Buffer): ListItem[]; finish(): void } {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let stringBytes = 0;
  /** Tokens that are allowed next in the list: an item or the end of the list, an item only, or a comma or the end. */
  let next: 'item or end' | 'item' | 'comma or end' = 'item or end';
  let afterColon = false;
  let key = '';
  let list: string | null = null;
  let place = 0;
  let capturing: 'key' | 'item' | null = null;
  let captured: Buffer[] = [];
  let capturedBytes = 0;
  let position = 0;
  let ended = false;

  const take = (part: Buffer): string => {
    const whole = Buffer.concat([...captured, part]).toString('utf8');
    capturing = null;
    captured = [];
    capturedBytes = 0;
    return whole;
  };
  const parse = (json: string, at: number): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      throw notJson(position + at);
    }
  };

  const scan = (chunk: Buffer): ListItem[] => {
    const items: ListItem[] = [];
    let from = 0;
    const begin = (what: 'key' | 'item', at: number) => {
      capturing = what;
      from = at;
    };
    const endItem = (end: number) => {
      if (list === null) return;
      place += 1;
      next = 'comma or end';
      items.push({ list, place, value: parse(take(chunk.subarray(from, end)), end) });
    };
    /** Skips a string up to its closing quote, which may be in a later chunk. */
    const skipString = (start: number): number => {
      let at = start;
      if (escaped) at += 1;
      escaped = false;
      for (;;) {
        const end = chunk.indexOf(QUOTE, at);
        const stop = end < 0 ? chunk.length : end;
        let nBackslashes = 0;
        while (stop - nBackslashes > at && chunk[stop - nBackslashes - 1] === BACKSLASH) nBackslashes += 1;
        const isEscaped = nBackslashes % 2 === 1;
        if (end < 0) {
          escaped = isEscaped;
          return chunk.length;
        }
        if (!isEscaped) {
          inString = false;
          return end;
        }
        at = end + 1;
      }
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (inString) {
        const end = skipString(at);
        stringBytes += end - at;
        if (stringBytes > MAX_STRING_BYTES) throw tooLong(position + at);
        at = end;
        if (!inString && capturing === 'key') key = String(parse(take(chunk.subarray(from, at + 1)), at));
        continue;
      }
      if (byte <= 0x20) continue;
      if (depth === 0) {
        if (byte !== OPEN_OBJECT || ended) {
          if (!ended && position + at < 3 && byte === BYTE_ORDER_MARK[position + at]) continue;
          throw ended || byte !== OPEN_LIST ? notJson(position + at) : notAnObject();
        }
        depth = 1;
        continue;
      }
      if (depth === 2 && list !== null && capturing === null) {
        if (byte !== COMMA && byte !== CLOSE_LIST) {
          if (next === 'comma or end') throw notJson(position + at);
          begin('item', at);
        } else if (byte === COMMA ? next !== 'comma or end' : next === 'item') throw notJson(position + at);
        else next = 'item';
      }
      if (byte === QUOTE) {
        inString = true;
        stringBytes = 0;
        if (depth === 1 && !afterColon) begin('key', at);
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth === 1 && byte === OPEN_LIST && afterColon && lists.has(key)) {
          list = key;
          place = 0;
          next = 'item or end';
          seen.add(key);
        }
        depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 2 && list !== null) {
          if (capturing === 'item') endItem(at);
          list = null;
        }
        depth -= 1;
        if (depth === 2 && list !== null) endItem(at + 1);
        if (depth === 0) ended = true;
      } else if (byte === COMMA) {
        if (depth === 1) afterColon = false;
        else if (depth === 2 && capturing === 'item') {
          endItem(at);
          next = 'item';
        }
      } else if (byte === COLON && depth === 1) {
        afterColon = true;
      }
    }
    if (capturing !== null) {
      const part = chunk.subarray(from);
      captured.push(part);
      capturedBytes += part.length;
      if (capturedBytes > MAX_ITEM_BYTES) throw new AppError('invalid_request', message('json_item_too_large'));
    }
    position += chunk.length;
    return items;
  };
  return {
    scan,
    finish: () => {
      if (!ended) throw new AppError('invalid_request', message('json_cut'));
    },
  };
}

function notJson(position: number): AppError {
  return new AppError('invalid_request', message('json_invalid', { position }));
}

function tooLong(position: number): AppError {
  const limit = `${MAX_STRING_BYTES / 1024 ** 2} MiB`;
  return new AppError('invalid_request', message('json_string_too_long', { limit, position }));
}

function notAnObject(): AppError {
  return new AppError('invalid_request', message('json_is_list'));
}
