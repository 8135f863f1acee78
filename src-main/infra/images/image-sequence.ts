import type { SniffedFormat } from './sniff-format.ts';

/** Where the major brand of a file stands (ISO/IEC 14496-12, box `ftyp`), and that of AVIF image sequences (AV1 Image File Format, 6.3). */
const [BRAND_AT, SEQUENCE, STILL] = [8, 'avis', 'avif'];
const BOX_HEAD_BYTES = 8;

/**
 * A sequence as the still image that is in it too: its primary item, mostly the first frame. libvips looks at the brand alone and knows no
 * sequences; anything else is given back as it is.
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

/** Whether a file is a sequence of which no image is also an item: only a decoder of videos knows what to do with it. */
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
