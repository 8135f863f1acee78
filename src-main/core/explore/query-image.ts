import type { PixelBox } from '../ports/image.ts';
import type { EncodedVector } from '../ports/query.ts';

/** An image from outside that items are compared with. */
export interface QueryImage {
  dataset_id: string;
  file_name: string;
  /** In pixels, upright. */
  width: number;
  height: number;
  /** The part that is compared; null for all of it. */
  box: PixelBox | null;
  /** WebP bytes of what is compared. */
  thumbnail: Uint8Array;
  vectors: readonly EncodedVector[];
  /** SHA-256 of the file, where all of it is compared. */
  content_hash: string | null;
}

interface TextOfImage extends Omit<QueryImage, 'thumbnail' | 'vectors'> {
  thumbnail: string;
  vectors: (Omit<QueryImage['vectors'][number], 'vector'> & { vector: string })[];
}

/** A query image as JSON; bytes and vectors, float32 in little-endian order, as Base64. */
export function printQueryImage({ thumbnail, vectors, ...rest }: QueryImage): string {
  const text: TextOfImage = {
    ...rest,
    thumbnail: base64Of(thumbnail),
    vectors: vectors.map(({ vector, ...of }) => ({ ...of, vector: base64Of(vector) })),
  };
  return JSON.stringify(text);
}

/** What {@link printQueryImage} wrote. */
export function parseQueryImage(json: string): QueryImage {
  const { thumbnail, vectors, ...rest } = JSON.parse(json) as TextOfImage;
  return {
    ...rest,
    thumbnail: bytesOf(thumbnail),
    vectors: vectors.map(({ vector, ...of }) => ({ ...of, vector: new Float32Array(bytesOf(vector).buffer) })),
  };
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array | Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** In a buffer of their own. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}
