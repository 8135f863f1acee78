import type { ItemDetails, Vitrine } from '../typescript/index.ts';
import { Pictures } from './tool.ts';

/** Thumbnails of items as images, each after a line that names it. */
export async function pictures(
  vitrine: Vitrine,
  items: readonly ItemDetails[],
  signal: AbortSignal,
): Promise<Pictures> {
  const content: Pictures['content'] = [];
  for (const { media_id, file_name, labels, captions, media_thumb_uri } of items) {
    const response = await vitrine.download(media_thumb_uri, signal);
    const data = Buffer.from(await response.arrayBuffer()).toString('base64');
    const mimeType = response.headers.get('content-type') ?? 'image/webp';
    content.push({ type: 'text', text: JSON.stringify({ media_id, file_name, labels, captions }) });
    content.push({ type: 'image', data, mimeType });
  }
  return new Pictures(content);
}
