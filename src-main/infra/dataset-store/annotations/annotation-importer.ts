import type Database from 'better-sqlite3';
import type { AnnotationItem, AnnotationRow } from '../../annotations/annotation-row.ts';
import { createFileIndex, type FileIndex } from '../../annotations/file-index.ts';
import { findAnnotationFiles } from '../../annotations/find-annotation-files.ts';
import { toPixelBox } from '../../annotations/pixel-box.ts';
import { readAnnotations } from '../../annotations/read-annotations.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { AnnotatedFile } from './annotation-file.repository.ts';
import { ExportedSaidImporter } from './exported-said-importer.ts';
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

/** Why an item of an annotation file cannot be used; `file_key`: the media file that is missing or unusable. */
interface Problem {
  reason: string;
  file_key: string | null;
}

/**
 * Reads the annotation files of a batch page by page: a page is a transaction, and a run that was cut off begins again from nothing.
 * Every row ends as a label, a caption, a waiting box or a problem. When all is read, one transaction puts labels and captions into place
 * and removes what earlier versions of the files said and they do not say any more; what is said as before is kept as it is. Objects are
 * replaced when those that the boxes become are published.
 */
export class AnnotationImporter {
  readonly #db: Database.Database;
  readonly #rows: WriterRows;
  readonly #live: LiveRows;
  readonly #openParquet: OpenParquet;
  readonly #dataFolder: string;
  readonly #said: ExportedSaidImporter;
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
    this.#said = new ExportedSaidImporter(parts);
  }

  get isReading(): boolean {
    return this.#run !== undefined;
  }

  /** Opens the files; what was read of them before must be gone. Returns how many sets of annotations there are. */
  async begin(batchId: string): Promise<number> {
    await this.close();
    this.#rows.annotations.clear();
    this.#rows.annotatedObjects.clearClaims();
    this.#said.begin();
    const locations = new Map(
      this.#rows.annotationFiles
        .list(batchId)
        .map((file) => [file.file_path, resolveLocation(this.#dataFolder, file, file.location)]),
    );
    const mediaPaths = this.#rows.annotationFiles.mediaPaths();
    const sources = findAnnotationFiles([...locations.keys(), ...mediaPaths]);
    const controller = new AbortController();
    const locate = (path: string) => locations.get(path) ?? path;
    const openParquet = this.#openParquet;
    const pages = (async function* () {
      for (const source of sources) yield* readAnnotations(source, locate, openParquet, controller.signal);
    })();
    this.#run = { batch_id: batchId, pages, index: createFileIndex(mediaPaths), controller };
    return sources.length;
  }

  /** Saves the next page. @throws Error without {@link begin}. */
  async next(batchId: string): Promise<{ n_rows: number; finished: boolean }> {
    const run = this.#run;
    if (run?.batch_id !== batchId) throw new Error('no annotations are being read');
    const { done, value } = await run.pages.next();
    const items: AnnotationItem[] = done === true ? [] : value;
    const files = new Map<string, AnnotatedFile | undefined>();
    this.#db.transaction(() => {
      for (const item of items) this.#save(run, item, files);
      this.#said.endPage();
      if (done !== true) return;
      this.#said.finish();
      this.#rows.annotations.publish(batchId);
      this.#rows.annotatedObjects.replace(batchId);
      this.#rows.annotationFiles.finish(batchId);
      this.#rows.texts.refresh();
      this.#live.noteChange();
    })();
    if (done === true) await this.close();
    return { n_rows: items.length, finished: done === true };
  }

  /** Lets go of what is being read. */
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
    if (item.kind === 'problem') return ofContent(item.reason);
    return item.kind === 'field' ? ofContent(this.#said.declare(item.field)) : this.#saveRow(run, item, files);
  }

  /** @returns Why the row cannot be used; null if it was saved. */
  #saveRow(
    { batch_id, index }: Run,
    item: AnnotationRow,
    files: Map<string, AnnotatedFile | undefined>,
  ): Problem | null {
    const match = matchOf(index, item);
    if ('reason' in match) return { reason: match.reason, file_key: item.file_key };
    const path = JSON.stringify(match.path);
    const ofFile = (what: string): Problem => ({ reason: `${path} ${what}`, file_key: match.path });
    if (!files.has(match.path)) files.set(match.path, this.#rows.annotationFiles.findMedia(match.path, batch_id));
    const file = files.get(match.path);
    if (file === undefined) return ofFile('is not there any more');
    if (file.kind === 'video') return ofFile('is a video; annotations are of images');
    const { media_id, row, width, height } = file;
    if (media_id === null || row === null || width === null || height === null) {
      return ofFile(`could not be read: ${file.problem_reason ?? 'unknown reason'}`);
    }
    // What people put on an item since it is here stands.
    const isNew = file.batch_id === batch_id;
    if (item.kind === 'tag') {
      if (isNew) this.#said.addTag(row, item.name, item.day);
      return null;
    }
    if (item.kind === 'value') return isNew ? ofContent(this.#said.addValue(row, item)) : null;
    const said = { media_id, annotation_path: item.source };
    if (item.kind === 'object') return ofContent(this.#saveBox(batch_id, item, { media_id, row, width, height }));
    if (item.kind === 'caption') this.#rows.annotations.addCaption({ ...said, caption: item.caption });
    else this.#rows.annotations.addLabel({ ...said, label: item.label, class_id: item.class_id });
    return null;
  }

  /** Returns why there is no box. */
  #saveBox(batchId: string, item: AnnotationRow & { kind: 'object' }, image: Image): string | null {
    const box = toPixelBox(item.box, item.unit, image.width, image.height);
    if ('reason' in box) return box.reason;
    const { label, class_id, source: annotationPath, line } = item;
    const { media_id, row: mediaRow } = image;
    // Annotations that an earlier batch brought are read again with those that were added to them.
    if (
      this.#rows.annotatedObjects.claim({
        batch_id: batchId,
        media_id,
        label,
        class_id,
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
      source: IMPORTED,
      annotation_path: annotationPath,
      line,
    });
    return null;
  }
}

/** A problem that no other media file can solve. */
function ofContent(reason: string | null): Problem | null {
  return reason === null ? null : { reason, file_key: null };
}

function matchOf(index: FileIndex, { file_key, or_file_key, source }: AnnotationRow): ReturnType<FileIndex['match']> {
  const match = index.match(file_key, source);
  if (!('reason' in match) || or_file_key === undefined) return match;
  const other = index.match(or_file_key, source);
  return 'reason' in other ? match : other;
}
