import { expect, it } from 'vitest';
import { printQueryImage, type QueryImage } from '../../../src-main/core/explore/query-image.ts';
import { QueryImages } from '../../../src-main/core/explore/query-images.ts';
import { randomIds } from '../../../src-main/infra/clock.ts';

const HOUR_MS = 3_600_000;
const IMAGE: QueryImage = {
  dataset_id: 'd',
  file_name: 'a.jpg',
  width: 4,
  height: 3,
  box: null,
  thumbnail: new Uint8Array(4),
  vectors: [],
  content_hash: null,
};

function imagesAt(time: { now: number }, saved: ReadonlyMap<string, string> = new Map()): QueryImages {
  const clock = { now: () => time.now, ticksMs: () => time.now, iso: () => new Date(time.now).toISOString() };
  return new QueryImages(clock, randomIds, (datasetId, anchorId) => saved.get(`${datasetId} ${anchorId}`));
}

it('keeps a query image until it expires', () => {
  const time = { now: 0 };
  const images = imagesAt(time);
  const { anchor_media_id, expires_ms } = images.add(IMAGE);
  time.now = expires_ms - 1;
  expect(images.get('d', anchor_media_id)).toMatchObject(IMAGE);
  time.now = expires_ms;
  expect(() => images.get('d', anchor_media_id)).toThrow('no such query image');
  expect(expires_ms).toBe(24 * HOUR_MS);
});

it('returns a query image only for its own dataset', () => {
  const images = imagesAt({ now: 0 });
  const { anchor_media_id } = images.add(IMAGE);
  expect(() => images.get('another', anchor_media_id)).toThrow('no such query image');
});

it('deletes the oldest of too many', () => {
  const images = imagesAt({ now: 0 });
  const anchors = Array.from({ length: 1001 }, () => images.add(IMAGE).anchor_media_id);
  expect(() => images.get('d', anchors[0] ?? '')).toThrow('no such query image');
  expect(images.get('d', anchors[1] ?? '')).toMatchObject(IMAGE);
  expect(images.get('d', anchors[1000] ?? '')).toMatchObject(IMAGE);
});

it('keeps the query image of a saved query longer, unchanged', () => {
  const time = { now: 0 };
  const saved = new Map<string, string>();
  const images = imagesAt(time, saved);
  const vector = { space: 'looks' as const, encoder_id: 'e', vector: Float32Array.of(0.25, -0.5, Number.EPSILON) };
  const image = { ...IMAGE, thumbnail: Uint8Array.of(1, 2, 255), vectors: [vector] };
  const { anchor_media_id, expires_ms } = images.add(image);
  saved.set(`d ${anchor_media_id}`, printQueryImage(images.get('d', anchor_media_id)));
  time.now = expires_ms;
  expect(images.get('d', anchor_media_id)).toEqual({ ...image, expires_ms: 2 * expires_ms });
  expect(() => images.get('another', anchor_media_id)).toThrow('no such query image');
});
