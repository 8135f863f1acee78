import type { SniffedFormat } from './sniff-format.ts';

const OS2_HEADER_BYTES = 64;
/** Compression of OS/2 bitmaps, where Windows means something else (OS/2 2.0 Presentation Manager, BITMAPINFOHEADER2). */
const [OS2_HUFFMAN, OS2_RLE24] = [3, 4];

/** Names kinds of a format that no decoder here knows although files of them are sound; undefined for any other. */
export function rareKind(format: SniffedFormat, head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // The major brand of an image sequence (ISO/IEC 23000-22; AV1 Image File Format, section 6).
  if (format.id === 'avif' && bytes.toString('latin1', 8, 12) === 'avis') return 'AVIF image sequences';
  if (format.id !== 'bmp' || bytes.length < 34 || bytes.readUInt32LE(14) !== OS2_HEADER_BYTES) return undefined;
  return [OS2_HUFFMAN, OS2_RLE24].includes(bytes.readUInt32LE(30)) ? 'Compressed OS/2 bitmaps' : undefined;
}
