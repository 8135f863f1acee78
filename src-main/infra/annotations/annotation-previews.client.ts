import type { FilePreview } from '../../core/ports/media-previews.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf } from '../threads/thread-port.ts';
import { ANNOTATION_PREVIEW, type PreviewedFiles } from './annotation-preview-messages.ts';

/** Maximum memory in MiB of a thread that reads annotations for a preview. */
const MAX_HEAP_MIB = 1024;

/**
 * Reads the annotations among files, and the classes that folders name, in a thread of its own.
 * @param entries Paths of the built workers.
 * @throws AbortError.
 */
export async function readAnnotationPreview(
  entries: { annotation_preview: string; parquet: string },
  files: PreviewedFiles,
  signal: AbortSignal,
): Promise<FilePreview> {
  const thread = new Thread({
    entryFile: entries.annotation_preview,
    name: 'annotation preview',
    workerData: () => ({ parquet: entries.parquet }),
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([callsOf(ANNOTATION_PREVIEW, thread).read(files), stopped]);
  } finally {
    await thread.end();
  }
}
