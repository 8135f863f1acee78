import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

type NotText = 'manifest_not_text' | 'table_not_text';

/**
 * Decodes text in chunks: UTF-8, or UTF-16 if a byte order mark indicates it. The mark itself is dropped.
 * @param notText Code of the error for content that is not text.
 * @throws AppError `invalid_request` when the content is not text; errors of the source.
 */
export async function* readText(source: AsyncIterable<Uint8Array>, notText: NotText): AsyncGenerator<string> {
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
    yield refuseBinary(decoder.decode(bytes, { stream: true }), notText);
  }
  decoder ??= decoderFor(head);
  const rest = head.length < 4 ? decoder.decode(head) : decoder.decode();
  if (rest !== '') yield refuseBinary(rest, notText);
}

function decoderFor(head: Buffer): TextDecoder {
  const mark = head.toString('hex', 0, 2);
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8');
}

function refuseBinary(text: string, notText: NotText): string {
  if (text.includes('\0')) throw new AppError('invalid_request', message(notText));
  return text;
}
