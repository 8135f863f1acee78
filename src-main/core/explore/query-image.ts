import type { PixelBox } from '../ports/image.ts';
import type { EncodedVector } from '../ports/query.ts';

/** An external image that items are compared with. */
export interface QueryImage {
  dataset_id: string;
  file_name: string;
  /** Size in pixels of the upright image. */
  width: number;
  height: number;
  /** The region that is compared; null for the whole image. */
  box: PixelBox | null;
  /** Thumbnail of the compared region as WebP bytes. */
  thumbnail: Uint8Array;
  vectors: readonly EncodedVector[];
  /** SHA-256 of the file if the whole image is compared, else null. */
  content_hash: string | null;
}

interface TextOfImage extends Omit<QueryImage, 'thumbnail' | 'vectors'> {
  thumbnail: string;
  vectors: (Omit<QueryImage['vectors'][number], 'vector'> & { vector: string })[];
}

/** Serialises a query image as JSON. Bytes and vectors (little-endian float32) are Base64-encoded. */
export function printQueryImage({ thumbnail, vectors, ...rest }: QueryImage): string {
  const text: TextOfImage = {
    ...rest,
    thumbnail: base64Of(thumbnail),
    vectors: vectors.map(({ vector, ...of }) => ({ ...of, vector: base64Of(vector) })),
  };
  return JSON.stringify(text);
}

/** Parses the output of {@link printQueryImage}. */
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

/** Returns the decoded bytes in their own buffer. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}
