import type { Message } from '../../contract/messages.ts';
import type { FailedImage } from './image.ts';

export interface NewFile {
  /** Path shown to users, relative to the dataset's root, with `/` between folders. */
  file_path: string;
  /** Path of the stored bytes, relative to the source's root. */
  location: string;
  size_bytes: number;
  mtime_ms: number;
  /** `annotation`: a file beside the media that contains their annotations. */
  kind: 'image' | 'video' | 'annotation';
  /** Source of the file (default: the source of the batch). */
  source_id?: string;
  /** URL to fetch the bytes from (`s3://…`, `http(s)://…`); `location` is empty until they are fetched. */
  origin?: string;
  /** Set for video frames: the video, and the frame's number and timestamp in seconds. */
  frame?: { video_id: string; frame_number: number; frame_timestamp: number };
  /** Set if the file is known to be unusable before it is read. */
  problem?: { kind: FileProblemKind; reason: Message };
}

/** A file that must be fetched from another machine. */
export interface RemoteFile {
  file_id: number;
  file_path: string;
  origin: string;
  size_bytes: number;
}

export type FetchResult =
  | { file_id: number; ok: true; location: string; size_bytes: number; mtime_ms: number }
  | { file_id: number; ok: false; kind: FileProblemKind; reason: Message };

/** Properties of a video that was read. */
export interface NewVideo {
  video_id: string;
  file_id: number;
  width: number;
  height: number;
  duration_s: number | null;
  frames_per_second: number | null;
  codec: string;
  /** Timestamp of the poster frame, in seconds. */
  poster_timestamp: number;
  /** Set if some frames could not be extracted. */
  problem: { kind: FileProblemKind; reason: Message } | null;
}

/** The image file of a video frame. `location` is relative to the folder of the batch. */
export interface FrameFile {
  batch_id: string;
  location: string;
}

/** A frame image of replaced video content. */
export interface OrphanedFrame extends FrameFile {
  /** The batch whose folder contains the new frames; null if there are none. */
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
  reason: Message;
  size_bytes: number;
  batch_id: string;
}

/** Position after which a list continues; null starts at the first file. */
export type FileCursor = { file_path: string; file_id: number } | null;
