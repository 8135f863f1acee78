import type Database from 'better-sqlite3';
import { type Message, message, readMessage } from '../../../contract/messages.ts';
import type { AnnotationItem, AnnotationRow } from '../../annotations/annotation-row.ts';
import { createFileIndex, type FileIndex } from '../../annotations/file-index.ts';
import { findAnnotationFiles } from '../../annotations/find-annotation-files.ts';
import { toPixelBox } from '../../annotations/pixel-box.ts';
import { readAnnotations } from '../../annotations/read-annotations.ts';
import { OF_FOLDER, readFolderLabels } from '../../annotations/read-folder-labels.ts';
import { mediaNames } from '../../files/media-names.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { AnnotatedFile } from './annotation-file.repository.ts';
import { ExportedAnnotationImporter } from './exported-annotation-importer.ts';
import { IMPORTED } from './imported-annotation.repository.ts';

interface Image {
  media_id: string;
  row: number;
  width: number;
  height: number;
}

interface Run {
  batch_id: string;
  pages: AsyncIterator<AnnotationItem[]>;
  index: FileIndex;
  controller: AbortController;
}

/** Why an entry of an annotation file cannot be used. `file_key`: the media file that is missing or unusable. */
interface Problem {
  reason: Message;
  file_key: string | null;
}

/**
 * Reads the annotation files of a batch page by page. Each page is a transaction, and an interrupted run starts again from the beginning.
 * Every row becomes a label, a caption, a pending box or a problem. When all files are read, one transaction publishes labels and captions
 * and removes those that only earlier versions of the files contain; unchanged ones are left as they are. Objects are replaced when the
 * objects made from the boxes are published.
 */
export class AnnotationImporter {
  readonly #db: Database.Database;
  readonly #rows: WriterRows;
  readonly #live: LiveRows;
  readonly #openParquet: OpenParquet;
  readonly #dataFolder: string;
  readonly #exported: ExportedAnnotationImporter;
  #run: Run | undefined;

  constructor(parts: {
    db: Database.Database;
    rows: WriterRows;
    live: LiveRows;
    openParquet: OpenParquet;
    dataFolder: string;
    versions: DataVersions;
  }) {
    this.#db = parts.db;
    this.#rows = parts.rows;
    this.#live = parts.live;
    this.#openParquet = parts.openParquet;
    this.#dataFolder = parts.dataFolder;
    this.#exported = new ExportedAnnotationImporter(parts);
  }

  get isReading(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Opens the files. Results of earlier reads must have been removed. Returns the number of annotation sets.
   * @param hasFolderLabels Whether the names of the folders of the batch's images are a further set.
   */
  async begin(batchId: string, hasFolderLabels: boolean): Promise<number> {
    await this.close();
    this.#rows.annotations.clear();
    this.#rows.annotatedObjects.clearClaims();
    this.#exported.begin();
    const locations = new Map(
      this.#rows.annotationFiles
        .list(batchId)
        .map((file) => [file.file_path, resolveLocation(this.#dataFolder, file, file.location)]),
    );
    const mediaPaths = this.#rows.annotationFiles.mediaPaths();
    const sources = findAnnotationFiles([...locations.keys(), ...mediaPaths]);
    const imagesOf = (paths: string[]) => paths.filter((path) => mediaNames.isImage(path));
    const { annotationFiles, annotations } = this.#rows;
    const labelled = hasFolderLabels ? imagesOf(annotationFiles.listMediaOfBatch(batchId)) : [];
    const among = hasFolderLabels ? imagesOf(annotationFiles.listMediaOfSource(batchId)) : [];
    const classes = annotations.listLabelsOf(OF_FOLDER);
    const known = classes.length === 0 ? undefined : new Set(classes);
    const controller = new AbortController();
    const locate = (path: string) => locations.get(path) ?? path;
    const openParquet = this.#openParquet;
    const pages = (async function* () {
      if (hasFolderLabels) yield* readFolderLabels(labelled, among, known);
      for (const source of sources) yield* readAnnotations(source, locate, openParquet, controller.signal);
    })();
    this.#run = { batch_id: batchId, pages, index: createFileIndex(mediaPaths), controller };
    return sources.length + Number(hasFolderLabels);
  }

  /**
   * Saves the next page.
   * @throws Error if called before {@link begin}.
   */
  async next(batchId: string): Promise<{ n_rows: number; finished: boolean }> {
    const run = this.#run;
    if (run?.batch_id !== batchId) throw new Error('no annotations are being read');
    const { done, value } = await run.pages.next();
    const items: AnnotationItem[] = done === true ? [] : value;
    const files = new Map<string, AnnotatedFile | undefined>();
    this.#db.transaction(() => {
      for (const item of items) this.#save(run, item, files);
      this.#exported.endPage();
      if (done !== true) return;
      this.#exported.finish();
      this.#rows.annotations.publish(batchId);
      this.#rows.annotatedObjects.replace(batchId);
      this.#rows.annotationFiles.finish(batchId);
      this.#rows.texts.refresh();
      this.#live.noteChange();
    })();
    if (done === true) await this.close();
    return { n_rows: items.length, finished: done === true };
  }

  /** Closes the files that are being read. */
  async close(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    run?.controller.abort();
    await run?.pages.return?.();
  }

  #save(run: Run, item: AnnotationItem, files: Map<string, AnnotatedFile | undefined>): void {
    const problem = this.#problemOf(run, item, files);
    if (problem === null) return;
    this.#rows.problems.add({ batch_id: run.batch_id, source_path: item.source, line: item.line, ...problem });
  }

  #problemOf(run: Run, item: AnnotationItem, files: Map<string, AnnotatedFile | undefined>): Problem | null {
    if (item.kind === 'format') return null;
    if (item.kind === 'problem') return ofContent(item.reason);
    return item.kind === 'field' ? ofContent(this.#exported.declare(item.field)) : this.#saveRow(run, item, files);
  }

  /** @returns Why the row cannot be used; null if it was saved. */
  #saveRow(
    { batch_id, index }: Run,
    item: AnnotationRow,
    files: Map<string, AnnotatedFile | undefined>,
  ): Problem | null {
    const match = matchOf(index, item);
    if ('reason' in match) return { reason: match.reason, file_key: item.file_key };
    const fileKey = match.path;
    if (!files.has(match.path)) files.set(match.path, this.#rows.annotationFiles.findMedia(match.path, batch_id));
    const file = files.get(match.path);
    if (file === undefined) return { reason: message('annotated_file_gone', { file: match.path }), file_key: fileKey };
    if (file.kind === 'video') {
      return { reason: message('annotated_file_is_video', { file: match.path }), file_key: fileKey };
    }
    const { media_id, row, width, height } = file;
    if (media_id === null || row === null || width === null || height === null) {
      const problem = file.problem_reason === null ? message('reason_unknown') : readMessage(file.problem_reason);
      return { reason: message('annotated_file_unreadable', { file: match.path, problem }), file_key: fileKey };
    }
    // Users' tags and other edits made since the item was imported are kept.
    const isNew = file.batch_id === batch_id;
    if (item.kind === 'tag') {
      if (isNew) this.#exported.addTag(row, item.name, item.assigned_at);
      return null;
    }
    if (item.kind === 'value') return isNew ? ofContent(this.#exported.addValue(row, item)) : null;
    if (item.kind === 'object') return ofContent(this.#saveBox(batch_id, item, { media_id, row, width, height }));
    const { made_by: source = IMPORTED, source: annotationPath } = item;
    const origin = { media_id, source, annotation_path: annotationPath };
    if (item.kind === 'caption') this.#rows.annotations.addCaption({ ...origin, caption: item.caption });
    else {
      const { label, class_id, confidence = null } = item;
      this.#rows.annotations.addLabel({ ...origin, label, class_id, confidence });
    }
    return null;
  }

  /** Returns why the row gives no box; null if the box was saved. */
  #saveBox(batchId: string, item: AnnotationRow & { kind: 'object' }, image: Image): Message | null {
    const box = toPixelBox(item.box, item.unit, image.width, image.height);
    if ('reason' in box) return box.reason;
    const { label, class_id, source: annotationPath, line, made_by: source = IMPORTED, caption } = item;
    const { media_id, row: mediaRow } = image;
    // Annotations imported by an earlier batch are read again together with added ones.
    if (
      this.#rows.annotatedObjects.claim({
        batch_id: batchId,
        media_id,
        label,
        class_id,
        source,
        annotation_path: annotationPath,
        ...box,
      })
    )
      return null;
    this.#rows.boxes.add({
      batch_id: batchId,
      media_id,
      media_row: mediaRow,
      ...box,
      label,
      class_id,
      confidence: item.confidence ?? null,
      source,
      caption: caption?.text ?? null,
      caption_source: caption === undefined ? null : (caption.made_by ?? IMPORTED),
      annotation_path: annotationPath,
      line,
    });
    return null;
  }
}

/** Returns a problem that no other media file can solve. */
function ofContent(reason: Message | null): Problem | null {
  return reason === null ? null : { reason, file_key: null };
}

function matchOf(index: FileIndex, { file_key, or_file_key, source }: AnnotationRow): ReturnType<FileIndex['match']> {
  const match = index.match(file_key, source);
  if (!('reason' in match) || or_file_key === undefined) return match;
  const other = index.match(or_file_key, source);
  return 'reason' in other ? match : other;
}
