import type { FailedImage } from './image.ts';

export interface NewFile {
  /** What people see: relative to the dataset's root, `/` between folders. */
  file_path: string;
  /** Where the bytes are, relative to the source's root. */
  location: string;
  size_bytes: number;
  mtime_ms: number;
  /** `annotation`: a file beside the media that says something of them. */
  kind: 'image' | 'video' | 'annotation';
  /** Another source than the batch's. */
  source_id?: string;
  /** Where the bytes must be fetched from first (`s3://…`, `http(s)://…`); `location` is empty until then. */
  origin?: string;
  /** Set on frames: the video they are of. */
  frame?: { video_id: string; frame_number: number; frame_timestamp: number };
  /** Set when the file is known to be unusable before anything reads it. */
  problem?: { kind: FileProblemKind; reason: string };
}

/** A file whose bytes are elsewhere. */
export interface RemoteFile {
  file_id: number;
  file_path: string;
  origin: string;
  size_bytes: number;
}

export type FetchResult =
  | { file_id: number; ok: true; location: string; size_bytes: number; mtime_ms: number }
  | { file_id: number; ok: false; kind: FileProblemKind; reason: string };

/** A video that was read, and where its frames are. */
export interface NewVideo {
  video_id: string;
  file_id: number;
  width: number;
  height: number;
  duration_s: number | null;
  frames_per_second: number | null;
  codec: string;
  /** Seconds; the moment that stands for the video. */
  poster_timestamp: number;
  /** Set where some frames could not be taken. */
  problem: { kind: FileProblemKind; reason: string } | null;
}

/** The image of a video's frame, below the folder of a batch. */
export interface FrameFile {
  batch_id: string;
  location: string;
}

/** A frame image of replaced video content. */
export interface OrphanedFrame extends FrameFile {
  /** The batch whose folder has the new frames. Null without new frames. */
  replaced_in: string | null;
}

export type FileProblemKind = FailedImage['kind'] | 'unsafe';

export interface PendingFile {
  file_id: number;
  file_path: string;
  /** Absolute path to read. */
  path: string;
}

export interface FileErrorRow {
  file_path: string;
  kind: FileProblemKind;
  reason: string;
  size_bytes: number;
  batch_id: string;
}

/** Place after which a list goes on; null for its beginning. */
export type FileCursor = { file_path: string; file_id: number } | null;
