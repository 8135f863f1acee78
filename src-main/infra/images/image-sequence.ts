import type { SniffedFormat } from './sniff-format.ts';

/**
 * Byte offset of the major brand (ISO/IEC 14496-12, box `ftyp`), and the brands of AVIF image sequences and still images (AV1 Image File
 * Format, 6.3).
 */
const [BRAND_AT, SEQUENCE, STILL] = [8, 'avis', 'avif'];
const BOX_HEAD_BYTES = 8;

/**
 * Changes the brand of a sequence so that its still image can be read: its primary item, mostly the first frame. libvips checks only the
 * brand and does not support sequences. Returns any other input unchanged.
 */
export function asStillImage<Input extends Buffer | string>(
  input: Input,
  format: SniffedFormat | undefined,
): Input | Buffer {
  if (typeof input === 'string' || !isSequence(input, format)) return input;
  const still = Buffer.from(input);
  still.write(STILL, BRAND_AT, 'latin1');
  return still;
}

/** Whether a file is a sequence without a still image, which only a video decoder can read. */
export function isBareSequence(head: Buffer, format: SniffedFormat): boolean {
  if (!isSequence(head, format)) return false;
  for (let at = 0; at + BOX_HEAD_BYTES <= head.length; ) {
    const size = head.readUInt32BE(at);
    if (head.toString('latin1', at + 4, at + BOX_HEAD_BYTES) === 'meta') return false;
    if (size < BOX_HEAD_BYTES) break;
    at += size;
  }
  return true;
}

function isSequence(head: Buffer, format: SniffedFormat | undefined): boolean {
  return format?.id === 'avif' && head.toString('latin1', BRAND_AT, BRAND_AT + 4) === SEQUENCE;
}
