import { join } from 'node:path';
import type { ByteRange } from '../../../core/ports/byte-range.ts';
import { fileName, resolveLocation } from '../disk/locations.ts';
import { packFile, THUMBNAIL_FOLDERS } from '../disk/thumbnail-packs.ts';
import type { FileReportRepository } from '../intake/file-report.repository.ts';
import type { MediaRepository } from './media.repository.ts';
import type { ObjectRepository } from './object.repository.ts';

interface Parts {
  files: FileReportRepository;
  media: MediaRepository;
  objects: ObjectRepository;
  /** Folder of the generation. */
  folder: string;
  dataFolder: string;
}

/** Locates the bytes of items, videos and thumbnails. */
export class MediaLocations {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param mediaId Id of an item, or of a video for its whole file. */
  original(mediaId: string): ByteRange | undefined {
    const { media, dataFolder } = this.#parts;
    const row = media.find(mediaId);
    if (!row) return this.#video(mediaId);
    return {
      path: resolveLocation(dataFolder, row, row.location),
      offset: 0,
      length: null,
      crc32: null,
      content_hash: row.content_hash,
      format: row.format,
      file_name: fileName(row.file_path),
    };
  }

  /** @param mediaId Id of an item or an object. */
  thumbnail(mediaId: string): ByteRange | undefined {
    const { media, folder } = this.#parts;
    const row = media.findThumbnail(mediaId);
    if (!row) return this.#objectThumbnail(mediaId);
    return {
      path: packFile(join(folder, THUMBNAIL_FOLDERS.IMAGES), row.thumbnail_pack),
      offset: row.thumbnail_offset,
      length: row.thumbnail_bytes,
      crc32: row.thumbnail_crc32,
      content_hash: `thumbnail-${row.content_hash}`,
      format: 'webp',
      file_name: `${fileName(row.file_path)}.webp`,
    };
  }

  #video(videoId: string): ByteRange | undefined {
    const { files, dataFolder } = this.#parts;
    const row = files.findVideo(videoId);
    if (!row) return undefined;
    return {
      path: resolveLocation(dataFolder, row, row.location),
      offset: 0,
      length: null,
      crc32: null,
      content_hash: `${row.size_bytes}-${row.mtime_ms}`,
      format: row.file_path.slice(row.file_path.lastIndexOf('.') + 1),
      file_name: fileName(row.file_path),
    };
  }

  #objectThumbnail(objectId: string): ByteRange | undefined {
    const { objects, folder } = this.#parts;
    const row = objects.find(objectId);
    if (!row) return undefined;
    return {
      path: packFile(join(folder, THUMBNAIL_FOLDERS.OBJECTS), row.thumbnail_pack),
      offset: row.thumbnail_offset,
      length: row.thumbnail_bytes,
      crc32: row.thumbnail_crc32,
      content_hash: `object-${row.object_id}-${row.row}`,
      format: 'webp',
      file_name: `${row.object_id}.webp`,
    };
  }
}
