import { countFolderLabels } from '../../contract/folder-labels.ts';
import type { LocalFolders } from '../../core/ports/files.ts';
import type { MediaPreviews } from '../../core/ports/media-previews.ts';
import { readAnnotationPreview } from '../annotations/annotation-previews.client.ts';

/** Maximum number of files that a preview looks at. */
const MAX_FILES = 200_000;
const MAX_CLASSES = 200;

/** @param entries Paths of the built workers. */
export function createMediaPreviews(
  folders: LocalFolders,
  entries: { annotation_preview: string; parquet: string },
): MediaPreviews {
  return {
    inspect: async (location, signal) => {
      const folder = await folders.inspect(location);
      const images: string[] = [];
      const paths: string[] = [];
      const formats = new Map<string, number>();
      let nVideos = 0;
      let isComplete = true;
      for await (const files of folders.walk(folder, signal)) {
        for (const { file_path, kind, problem } of files) {
          if (problem !== undefined) continue;
          paths.push(file_path);
          if (kind === 'annotation') continue;
          const extension = file_path.slice(file_path.lastIndexOf('.') + 1).toLowerCase();
          formats.set(extension, (formats.get(extension) ?? 0) + 1);
          if (kind === 'image') images.push(file_path);
          else nVideos += 1;
        }
        if (paths.length < MAX_FILES) continue;
        isComplete = false;
        break;
      }
      const { classes, splits } = countFolderLabels(images);
      return {
        n_images: images.length,
        n_videos: nVideos,
        media_formats: [...formats].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
        annotations: await readAnnotationPreview(entries, folder, paths, signal),
        folder_labels: { n_classes: classes.length, classes: classes.slice(0, MAX_CLASSES), splits },
        is_complete: isComplete,
      };
    },
  };
}
