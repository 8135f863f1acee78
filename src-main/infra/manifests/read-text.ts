import { AppError } from '../../contract/errors.ts';

/**
 * Decodes text in chunks: UTF-8, or UTF-16 if a byte order mark indicates it. The mark itself is dropped.
 * @param what Name of the text in messages, such as "The manifest".
 * @throws AppError `invalid_request` when the content is not text; errors of the source.
 */
export async function* readText(source: AsyncIterable<Uint8Array>, what: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let head = Buffer.alloc(0);
  for await (const chunk of source) {
    let bytes: Uint8Array = chunk;
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length < 4) continue;
      decoder = decoderFor(head);
      bytes = head;
    }
    yield refuseBinary(decoder.decode(bytes, { stream: true }), what);
  }
  decoder ??= decoderFor(head);
  const rest = head.length < 4 ? decoder.decode(head) : decoder.decode();
  if (rest !== '') yield refuseBinary(rest, what);
}

function decoderFor(head: Buffer): TextDecoder {
  const mark = head.toString('hex', 0, 2);
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8');
}

function refuseBinary(text: string, what: string): string {
  if (text.includes('\0')) throw new AppError('invalid_request', `${what} is not a text file`);
  return text;
}
