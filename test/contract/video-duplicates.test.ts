import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { ClusterPage, ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { until } from '../support/api.ts';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { findMedia } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const media = findMedia();
/** Time limit in milliseconds, for a machine that is busy with other tests. */
const LIMIT_MS = 100_000;

/** Returns the video names of each group and the number of frames in the groups and in the dataset. */
async function groupsOf(folder: string): Promise<{ groups: string[][]; nGrouped: number; nFrames: number }> {
  const { api, close } = await openData(await temporaryFolder());
  try {
    const id = await api.createFromFolder('videos', folder);
    await api.waitFor(id, 'READY');
    await until(
      () => api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=DUPLICATE_DETECTION`),
      ({ body }) => body.tasks.length > 0 && body.tasks.every(({ status }) => status === 'COMPLETED'),
      LIMIT_MS,
    );
    const query = 'entity_type=VIDEOS&duplicate_threshold=0.8';
    const { body } = await api.get<ExploreResult>(`/explore/${id}?${query}`);
    const groups: string[][] = [];
    let nGrouped = 0;
    for (const { cluster_id } of body.clusters) {
      const page = await api.get<ClusterPage>(`/explore/${id}/cluster/${cluster_id}?${query}&page_size=500`);
      groups.push([...new Set(page.body.items.map(({ video_name }) => basename(video_name ?? '')))].sort());
      nGrouped += page.body.total;
    }
    const stats = await api.get<{ n_frames: number }>(`/dataset/${id}/stats`);
    return { groups: groups.sort(), nGrouped, nFrames: stats.body.n_frames };
  } finally {
    await close();
  }
}

it('groups encodings of one video, and no other videos', needs(ffmpegPrograms), async () => {
  const folder = await temporaryFolder();
  const make = (name: string, source: string, ...options: string[]) =>
    makeWithFfmpeg(['-f', 'lavfi', '-i', `${source}=size=320x240:rate=10`, ...options, join(folder, name)]);
  make('mandelbrot.avi', 'mandelbrot', '-t', '4');
  make('mandelbrot-small.mkv', 'mandelbrot', '-t', '4', '-vf', 'scale=240:180', '-c:v', 'mjpeg', '-q:v', '12');
  // A longer video that contains all of the others, and two videos without common frames.
  make('mandelbrot-longer.avi', 'mandelbrot', '-t', '6', '-c:v', 'mjpeg');
  make('test.avi', 'testsrc2', '-t', '4');
  make('colours.avi', 'rgbtestsrc', '-t', '4');
  const { groups } = await groupsOf(folder);
  expect(groups).toEqual([['mandelbrot-longer.avi', 'mandelbrot-small.mkv', 'mandelbrot.avi']]);
});

it('finds clips as MP4 and as WebM equal, with all frames', needs(ffmpegPrograms, media), async () => {
  const folder = await temporaryFolder();
  const root = 'root' in media ? media.root : '';
  const clips = ['crystal', 'rabbit320'];
  for (const clip of clips) {
    for (const name of [`${clip}.mp4`, `${clip}.webm`]) {
      await copyFile(join(root, 'videos', 'mdn', name), join(folder, name));
    }
  }
  const { groups, nGrouped, nFrames } = await groupsOf(folder);
  expect(groups).toEqual(clips.map((clip) => [`${clip}.mp4`, `${clip}.webm`]));
  expect(nGrouped).toBe(nFrames);
});
