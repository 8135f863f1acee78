import { join } from 'node:path';
import { formatMessage, type Message } from '../../contract/messages.ts';
import type { AnnotationPreview } from '../../core/ports/media-previews.ts';
import { mediaNames } from '../files/media-names.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import type { PreviewedFiles } from './annotation-preview-messages.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { createFileIndex } from './file-index.ts';
import { findAnnotationFiles } from './find-annotation-files.ts';
import { readAnnotations } from './read-annotations.ts';

/** Maximum duration in milliseconds. What is not read by then is left out of the counts. */
const TIME_LIMIT_MS = 10_000;
const MAX_PROBLEMS = 100;
const MAX_CLASSES = 200;

interface FormatCounts {
  files: Set<string>;
  n_boxes: number;
  n_labels: number;
  n_captions: number;
}

/** Reads the annotations among files as an import would, and counts them. */
export async function previewAnnotations(
  { folder, paths, places }: PreviewedFiles,
  openParquet: OpenParquet,
): Promise<AnnotationPreview> {
  const locate = (path: string) => places.get(path) ?? join(folder, path);
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const index = createFileIndex(paths.filter((path) => mediaNames.isImage(path) || mediaNames.isVideo(path)));
  const formats = new Map<string, FormatCounts>();
  const classes = new Map<string, number>();
  const problems: AnnotationPreview['problems'] = [];
  let nProblems = 0;
  let isComplete = true;
  const addProblem = (source: string, line: number | null, problem: Message) => {
    nProblems += 1;
    if (problems.length < MAX_PROBLEMS)
      problems.push({ source_path: source, line, reason: formatMessage(problem), problem });
  };
  const add = (item: AnnotationItem, counts: FormatCounts) => {
    if (item.kind === 'problem') return addProblem(item.source, item.line, item.reason);
    if (item.kind === 'field' || item.kind === 'format') return;
    const match = index.match(item.file_key, item.source);
    const other =
      item.or_file_key !== undefined && 'reason' in match ? index.match(item.or_file_key, item.source) : match;
    if ('reason' in other) return addProblem(item.source, item.line, 'reason' in match ? match.reason : other.reason);
    counts.files.add(item.source);
    if (item.kind === 'caption') counts.n_captions += 1;
    if (item.kind !== 'object' && item.kind !== 'image_label') return;
    if (item.kind === 'object') counts.n_boxes += 1;
    else counts.n_labels += 1;
    classes.set(item.label, (classes.get(item.label) ?? 0) + 1);
  };
  try {
    for (const source of findAnnotationFiles(paths)) {
      let counts: FormatCounts = { files: new Set(), n_boxes: 0, n_labels: 0, n_captions: 0 };
      for await (const items of readAnnotations(source, locate, openParquet, signal)) {
        signal.throwIfAborted();
        for (const item of items) {
          if (item.kind === 'format') {
            counts = formats.get(item.format) ?? counts;
            formats.set(item.format, counts);
            counts.files.add(item.source);
          } else add(item, counts);
        }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    isComplete = false;
  }
  return {
    formats: [...formats].map(([name, { files, ...counts }]) => ({ name, n_files: files.size, ...counts })),
    n_classes: classes.size,
    classes: [...classes]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_CLASSES),
    problems,
    n_problems: nProblems,
    is_complete: isComplete,
  };
}
