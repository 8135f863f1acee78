import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exploreResult } from '../../src-main/contract/schemas/explore.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Videos with three frames each, where frames are items. */
const VIDEOS = ['testsrc', 'smptebars', 'mandelbrot'];

describe('videos like an anchor', needs(ffmpegPrograms), () => {
  let api: Api;
  let id: string;

  beforeAll(async () => {
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3]);
    for (const source of VIDEOS) {
      makeWithFfmpeg(['-f', 'lavfi', '-i', `${source}=size=160x120:rate=5`, '-t', '3', join(folder, `${source}.avi`)]);
    }
    const server = await startServer(await temporaryFolder(atEnd));
    atEnd(() => server.stop().then(() => undefined));
    api = new Api(server.baseUrl);
    id = await api.createFromFolder('videos', folder);
    await api.waitFor(id, 'READY');
  });

  async function explore(query: string) {
    const { body } = await api.get(`/explore/${id}?threshold=0&${query}`);
    return exploreResult.parse(body);
  }

  it('come once each by their best frame, best first', async () => {
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
});
