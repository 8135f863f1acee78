import { isBareSequence } from './image-sequence.ts';
import type { SniffedFormat } from './sniff-format.ts';

const OS2_HEADER_BYTES = 64;
/** Compression codes of OS/2 bitmaps that mean something else in Windows bitmaps (OS/2 2.0 Presentation Manager, BITMAPINFOHEADER2). */
const [OS2_HUFFMAN, OS2_RLE24] = [3, 4];
/** Compression codes of Windows bitmaps that contain a file of another format, for printers (BITMAPINFOHEADER, BI_JPEG and BI_PNG). */
const [JPEG_INSIDE, PNG_INSIDE] = [4, 5];

/** Names the variant of a format that no decoder here supports although the file is valid; undefined for other files. */
export function rareKind(format: SniffedFormat, head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (isBareSequence(bytes, format)) return 'AVIF image sequences without a still image';
  if (format.id !== 'bmp' || bytes.length < 34) return undefined;
  const compression = bytes.readUInt32LE(30);
  if (bytes.readUInt32LE(14) === OS2_HEADER_BYTES) {
    return [OS2_HUFFMAN, OS2_RLE24].includes(compression) ? 'Compressed OS/2 bitmaps' : undefined;
  }
  return [JPEG_INSIDE, PNG_INSIDE].includes(compression) ? 'Bitmaps around a JPEG or PNG image' : undefined;
}
