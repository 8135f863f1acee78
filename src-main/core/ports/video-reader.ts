import type { FailedImage } from './image.ts';

export interface VideoFrame {
  /** Position among all frames of the stream in the order of showing, from 0. */
  frame_number: number;
  timestamp_s: number;
  /** Relative to the batch's folder. */
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
      /** Set where some frames could not be taken. */
      problem: { kind: FailedImage['kind']; reason: string } | null;
      frames: VideoFrame[];
    }
  | { ok: false; kind: FailedImage['kind']; reason: string };

/** Takes frames out of videos; a program of its own does the work. */
export interface VideoReader {
  /**
   * Reads a video and leaves its frames as images in the batch's folder.
   * @param name A folder name of its own for the frames of this video; what an earlier try left there is removed.
   * @throws AbortError.
   */
  read(path: string, batchId: string, name: string, signal: AbortSignal): Promise<VideoReading>;
}
