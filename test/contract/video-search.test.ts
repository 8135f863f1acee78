import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

/** Videos with three frames each, where frames are items. */
const VIDEOS = ['testsrc', 'smptebars', 'mandelbrot'];

describe('videos similar to an anchor', needs(ffmpegPrograms), () => {
  let api: Api;
  let id: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3]);
    for (const source of VIDEOS) {
      makeWithFfmpeg(['-f', 'lavfi', '-i', `${source}=size=160x120:rate=5`, '-t', '3', join(folder, `${source}.avi`)]);
    }
    ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
    id = await api.createFromFolder('videos', folder);
    await api.waitFor(id, 'READY');
  });

  async function explore(query: string) {
    const { body } = await api.get(`/explore/${id}?threshold=0&${query}`);
    return exploreResult.parse(body);
  }

  it('are listed once by their best frame, best first', async () => {
    const frames = (await explore('entity_type=IMAGES')).clusters
      .flatMap((cluster) => cluster.previews)
      .filter((item) => item.type === 'VIDEO_FRAME');
    expect(frames).toHaveLength(3 * VIDEOS.length);
    const anchor = frames.find((frame) => frame.frame_timestamp === 2);
    const near = `anchor_type=MEDIA&anchor_media_id=${anchor?.media_id}`;
    const { clusters, metadata } = await explore(`entity_type=VIDEOS&${near}`);
    const found = clusters.flatMap((cluster) => cluster.previews);
    expect(new Set(found.map((item) => item.video_uri?.split('?')[0])).size).toBe(VIDEOS.length);
    expect(found).toHaveLength(VIDEOS.length);
    expect(metadata.total_items).toBe(VIDEOS.length);
    expect(clusters[0]).toMatchObject({ type: 'VIDEOS', n_images: 0, n_videos: 1 });
    expect(found[0]).toMatchObject({ type: 'VIDEO_FRAME', media_id: anchor?.media_id, relevance_score: 0 });
    const scores = clusters.map((cluster) => cluster.relevance_score ?? -1);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));

    const all = (await explore(`entity_type=IMAGES&${near}`)).clusters.flatMap((cluster) => cluster.previews);
    for (const item of found) {
      const sameVideo = all.filter((one) => one.video_uri?.split('?')[0] === item.video_uri?.split('?')[0]);
      expect(item.relevance_score).toBe(Math.min(...sameVideo.map((one) => one.relevance_score ?? 2)));
    }
  });

  it('can be found by an image', async () => {
    const images = (await explore('entity_type=IMAGES')).clusters.flatMap((cluster) => cluster.previews);
    const anchor = images.find((item) => item.type === 'IMAGE');
    const { metadata } = await explore(`entity_type=VIDEOS&anchor_type=MEDIA&anchor_media_id=${anchor?.media_id}`);
    expect(metadata.total_items).toBe(VIDEOS.length);
  });

  it.each(['', '&labels=["none"]', '&vql=[{"text":{"op":"fts","value":"testsrc"}}]'])(
    'have the same counts in the list, the facets and the cluster: %s',
    async (query) => {
      const { clusters, metadata } = await explore(`entity_type=VIDEOS${query}`);
      const facets = await api.get(`/explore/${id}/facets?entity_type=VIDEOS${query}`);
      const sum = (of: (cluster: (typeof clusters)[number]) => number) => clusters.reduce((n, one) => n + of(one), 0);
      expect(facets.body).toMatchObject({ total: metadata.total_items });
      expect(sum(({ n_videos }) => n_videos)).toBe(metadata.total_items);
      const nFrames = sum(({ n_frames }) => n_frames);
      expect(nFrames).toBe(3 * metadata.total_items);
      expect((facets.body as { media_types: unknown[] }).media_types).toEqual(
        nFrames === 0 ? [] : [{ name: 'video_frame', count: nFrames }],
      );
      for (const { cluster_id, type, n_images, n_videos, n_frames, size_display_value } of clusters) {
        expect(size_display_value).toBe(String(n_videos));
        const { body } = await api.get(`/explore/${id}/cluster/${cluster_id}?${query.slice(1)}`);
        expect(body).toMatchObject({
          cluster: { cluster_id, type, n_images, n_videos, n_frames, size_display_value },
          total: n_frames,
        });
      }
    },
  );
});
