import { message } from '../../contract/messages.ts';
import type { FileCursor, NewFile, PendingFile } from '../ports/dataset-files.ts';
import type { DatasetStore } from '../ports/dataset-store.ts';
import type { VideoReader, VideoReading } from '../ports/video-reader.ts';
import type { TaskRun } from '../tasks/define-task.ts';

/**
 * Extracts the frames of every pending video of a batch. Frames become pending files like other images, named `<video>/output_000001.jpg`
 * and so on.
 */
export async function readPendingVideos(parts: {
  task: Pick<TaskRun<unknown, unknown>, 'beginStep' | 'reportSaved' | 'signal'>;
  store: DatasetStore;
  batch_id: string;
  videos: VideoReader;
  /** Progress of the whole task, 0 to 1. */
  from: number;
}): Promise<void> {
  const { task, store, batch_id, videos, from } = parts;
  const first = await store.intake.listPending(batch_id, 'video', null, 1);
  if (first.length === 0) return;
  task.beginStep(message('step_taking_frames_from_videos'), { from, to: from }, null);
  let after: FileCursor = null;
  let done = 0;
  for (;;) {
    const files: PendingFile[] = await store.intake.listPending(batch_id, 'video', after, 50);
    if (files.length === 0) return;
    after = files.at(-1) ?? null;
    for (const file of files) {
      const reading = await videos.read(file.path, batch_id, String(file.file_id), task.signal);
      if (!reading.ok) await store.intake.failFile(file.file_id, reading.kind, reading.reason);
      else await saveVideo(store, batch_id, file, reading);
      done += 1;
      task.reportSaved(done);
    }
  }
}

/** The id of a video is a UUID derived from its batch and file number, so it is the same on every attempt. */
async function saveVideo(
  store: DatasetStore,
  batchId: string,
  file: PendingFile,
  reading: VideoReading & { ok: true },
): Promise<void> {
  const videoId = `${batchId.slice(0, 24)}${file.file_id.toString(16).padStart(12, '0')}`;
  const { frames, ok: _ok, ...facts } = reading;
  const files = frames.map(
    (frame, index): NewFile => ({
      file_path: `${file.file_path}/output_${String(index + 1).padStart(6, '0')}.jpg`,
      location: frame.location,
      source_id: batchId,
      kind: 'image',
      size_bytes: frame.size_bytes,
      mtime_ms: frame.mtime_ms,
      frame: { video_id: videoId, frame_number: frame.frame_number, frame_timestamp: frame.timestamp_s },
    }),
  );
  await store.intake.saveVideo({ video_id: videoId, file_id: file.file_id, ...facts }, files);
}
