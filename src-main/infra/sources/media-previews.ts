import type { LocalFolders } from '../../core/ports/files.ts';
import type { MediaPreviews } from '../../core/ports/media-previews.ts';
import { readAnnotationPreview } from '../annotations/annotation-previews.client.ts';

/** Maximum number of files that a preview looks at. */
const MAX_FILES = 200_000;

/** @param entries Paths of the built workers. */
export function createMediaPreviews(
  folders: LocalFolders,
  entries: { annotation_preview: string; parquet: string },
): MediaPreviews {
  return {
    inspect: async (location, signal) => {
      const folder = await folders.inspect(location);
      const paths: string[] = [];
      const formats = new Map<string, number>();
      let [nImages, nVideos] = [0, 0];
      let isComplete = true;
      for await (const files of folders.walk(folder, signal)) {
        for (const { file_path, kind, problem } of files) {
          if (problem !== undefined) continue;
          paths.push(file_path);
          if (kind === 'annotation') continue;
          const extension = file_path.slice(file_path.lastIndexOf('.') + 1).toLowerCase();
          formats.set(extension, (formats.get(extension) ?? 0) + 1);
          if (kind === 'image') nImages += 1;
          else nVideos += 1;
        }
        if (paths.length < MAX_FILES) continue;
        isComplete = false;
        break;
      }
      return {
        n_images: nImages,
        n_videos: nVideos,
        media_formats: [...formats].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
        ...(await readAnnotationPreview(entries, folder, paths, signal)),
        is_complete: isComplete,
      };
    },
  };
}
