import type { Message } from '../../contract/messages.ts';
import type { FailedImage } from './image.ts';

export interface VideoFrame {
  /** Index of the frame in presentation order, from 0. */
  frame_number: number;
  timestamp_s: number;
  /** Path relative to the batch's folder. */
  location: string;
  size_bytes: number;
  mtime_ms: number;
}

export type VideoReading =
  | {
      ok: true;
      width: number;
      height: number;
      duration_s: number | null;
      frames_per_second: number | null;
      codec: string;
      poster_timestamp: number;
      /** Set if some frames could not be extracted. */
      problem: { kind: FailedImage['kind']; reason: Message } | null;
      frames: VideoFrame[];
    }
  | { ok: false; kind: FailedImage['kind']; reason: Message };

/** Extracts frames from videos by running an external program. */
export interface VideoReader {
  /**
   * Reads a video and writes its frames as images to the batch's folder.
   * @param name Name of a folder for the frames of this video only; files of an earlier attempt in it are deleted.
   * @throws AbortError.
   */
  read(path: string, batchId: string, name: string, signal: AbortSignal): Promise<VideoReading>;
}
