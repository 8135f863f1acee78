import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UploadedFile } from '../../contract/fields.ts';
import type { LocalFolders } from '../../core/ports/files.ts';
import type { MediaPreviews } from '../../core/ports/media-previews.ts';
import type { PreviewedFiles } from '../annotations/annotation-preview-messages.ts';
import { readAnnotationPreview } from '../annotations/annotation-previews.client.ts';
import { EntryProblem } from '../archives/archive-entry.ts';
import type { ArchiveLimits } from '../archives/archive-limits.ts';
import { readArchive } from '../archives/read-archive.ts';
import { fileKindOf } from '../files/file-kinds.ts';

/** Maximum number of files that a preview looks at. */
const MAX_FILES = 200_000;
/** Maximum size in bytes of all annotations of an archive that a preview unpacks. */
const MAX_UNPACKED_BYTES = 256 * 1024 ** 2;
const ARCHIVE = /\.(zip|tar|tar\.gz|tgz)$/i;

interface PreviewParts {
  folders: LocalFolders;
  /** Paths of the built workers. */
  entries: { annotation_preview: string; parquet: string };
  temporaryFolder: string;
  archiveLimits: () => ArchiveLimits;
}

export function createMediaPreviews(parts: PreviewParts): MediaPreviews {
  const { folders, entries } = parts;
  const describe = async (found: FoundFiles, places: PreviewedFiles, signal: AbortSignal) => ({
    ...found.media(),
    ...(await readAnnotationPreview(entries, places, signal)),
    is_complete: found.isComplete,
  });
  return {
    inspect: async (location, signal) => {
      const folder = await folders.inspect(location);
      const found = new FoundFiles();
      for await (const files of folders.walk(folder, signal)) {
        for (const { file_path, problem } of files) if (problem === undefined) found.add(file_path);
        if (!found.isComplete) break;
      }
      return describe(found, { folder, paths: found.paths, places: new Map() }, signal);
    },
    inspectUpload: async (paths, files, signal) => {
      const found = new FoundFiles();
      for (const path of paths) found.add(path);
      const [archive] = files;
      if (files.length === 1 && archive !== undefined && ARCHIVE.test(archive.file_name)) {
        const folder = join(parts.temporaryFolder, `preview-${randomUUID()}`);
        await mkdir(folder, { recursive: true });
        try {
          const places = await unpackAnnotations(archive, folder, parts.archiveLimits(), found, signal);
          return await describe(found, { folder, paths: found.paths, places }, signal);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }
      const places = new Map(files.map(({ file_name, path }) => [file_name, path]));
      for (const path of places.keys()) found.add(path);
      // Annotation files that were not sent cannot be read.
      const known = found.paths.filter((path) => places.has(path) || fileKindOf(path) !== 'annotation');
      if (known.length < found.paths.length) found.isComplete = false;
      return describe(found, { folder: parts.temporaryFolder, paths: known, places }, signal);
    },
  };
}

/**
 * Lists the files of an archive and unpacks its annotations, without those that cannot be read. Returns the local path of each annotation file.
 */
async function unpackAnnotations(
  archive: UploadedFile,
  folder: string,
  limits: ArchiveLimits,
  found: FoundFiles,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  let unpackedBytes = 0;
  for await (const entry of readArchive(archive.path, archive.file_name, limits, signal)) {
    const isAnnotation = fileKindOf(entry.path) === 'annotation';
    if (entry.problem !== null || (isAnnotation && unpackedBytes + entry.size_bytes > MAX_UNPACKED_BYTES)) {
      found.isComplete = false;
      continue;
    }
    if (!isAnnotation) {
      found.add(entry.path);
      continue;
    }
    unpackedBytes += entry.size_bytes;
    // Names inside an archive are never used as paths to write to.
    const place = join(folder, String(places.size));
    try {
      await pipeline(entry.open(), createWriteStream(place), { signal });
    } catch (error) {
      if (!(error instanceof EntryProblem)) throw error;
      found.isComplete = false;
      continue;
    }
    places.set(entry.path, place);
    found.add(entry.path);
  }
  return places;
}

/** Counts the files of a folder, an archive or an upload. */
class FoundFiles {
  readonly paths: string[] = [];
  isComplete = true;
  readonly #known = new Set<string>();
  readonly #formats = new Map<string, number>();
  #nImages = 0;
  #nVideos = 0;

  add(path: string): void {
    const kind = fileKindOf(path);
    if (kind === undefined || this.#known.has(path)) return;
    if (this.paths.length >= MAX_FILES) {
      this.isComplete = false;
      return;
    }
    this.#known.add(path);
    this.paths.push(path);
    if (kind === 'annotation') return;
    const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    this.#formats.set(extension, (this.#formats.get(extension) ?? 0) + 1);
    if (kind === 'image') this.#nImages += 1;
    else this.#nVideos += 1;
  }

  media() {
    return {
      n_images: this.#nImages,
      n_videos: this.#nVideos,
      media_formats: [...this.#formats].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
    };
  }
}
