import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';

const BATCH_ROWS = 1000;
/** Maximum length of a row in characters. Without it an unclosed quote would read the rest of the file into memory. */
const MAX_ROW_CHARACTERS = 1024 * 1024;
const PROBLEMS: Record<string, Message> = {
  CSV_QUOTE_NOT_CLOSED: message('csv_quote_open'),
  CSV_INVALID_CLOSING_QUOTE: message('csv_text_after_quote'),
  INVALID_OPENING_QUOTE: message('csv_quote_in_value'),
  CSV_MAX_RECORD_SIZE: message('csv_row_too_long'),
};

export interface CsvRow {
  /** Number of the row's last line, from 1. */
  line: number;
  values: string[];
}

/**
 * Yields the rows of a CSV in batches of about a thousand, including the header and without blank lines. The separator is the comma; if the
 * first line has none, tab or semicolon. Quotes as in RFC 4180. Rows may differ in length.
 * @param text The file in chunks, without a byte order mark.
 * @throws AppError `invalid_request` with the line of a row that cannot be read, after all rows before it were returned; AbortError; errors
 * of `text`.
 */
export async function* readCsv(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<CsvRow[]> {
  const { first, all } = await peek(text);
  const parser = parse({
    delimiter: separatorOf(first),
    record_delimiter: '\n',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    // An error would discard the rows that are ready. The parser's results after a bad record are not used.
    skip_records_with_error: true,
  });
  const source = Readable.from(withPlainLineEnds(all));
  const broken: { line: number; problem: Message }[] = [];
  parser.on('skip', (error: CsvError) => {
    broken.push({ line: Number(error.lines), problem: PROBLEMS[String(error.code)] ?? message('csv_row_unreadable') });
    source.unpipe(parser);
    parser.end();
  });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let batch: CsvRow[] = [];
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: { lines: number }; record: string[] }>) {
      if (info.lines >= (broken[0]?.line ?? Number.POSITIVE_INFINITY)) break;
      batch.push({ line: info.lines, values: record });
      if (batch.length < BATCH_ROWS) continue;
      signal.throwIfAborted();
      yield batch;
      batch = [];
    }
  } finally {
    source.destroy();
    parser.destroy();
  }
  signal.throwIfAborted();
  if (batch.length > 0) yield batch;
  const [firstBroken] = broken;
  if (firstBroken) throw new AppError('invalid_request', message('csv_broken', { ...firstBroken }));
}

async function peek(text: AsyncIterable<string>): Promise<{ first: string; all: AsyncIterable<string> }> {
  const iterator = text[Symbol.asyncIterator]();
  const { done, value } = await iterator.next();
  const first = done ? '' : value;
  async function* all(): AsyncGenerator<string> {
    if (done) return;
    yield first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { first, all: all() };
}

/** Replaces `\r\n` by `\n`, because the parser counts `\r\n` inside quotes as two lines. */
async function* withPlainLineEnds(text: AsyncIterable<string>): AsyncGenerator<string> {
  let cut = '';
  for await (const piece of text) {
    const whole = cut + piece;
    cut = whole.endsWith('\r') ? '\r' : '';
    yield whole.slice(0, whole.length - cut.length).replaceAll(/\r\n?/g, '\n');
  }
  if (cut !== '') yield '\n';
}

function separatorOf(text: string): string {
  const line = /[^\r\n]+/.exec(text.slice(0, MAX_ROW_CHARACTERS))?.[0] ?? '';
  if (line.includes(',')) return ',';
  if (line.includes('\t')) return '\t';
  return line.includes(';') ? ';' : ',';
}
