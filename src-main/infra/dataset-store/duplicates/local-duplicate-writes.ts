import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Database from 'better-sqlite3';
import type {
  CandidateRequest,
  DuplicateWrites,
  FoundCandidates,
  WaitingComparisons,
} from '../../../core/ports/duplicates.ts';
import { readCandidates } from '../../duplicates/candidate-file.ts';
import { readTrimmed, TrimmedWriter } from '../../duplicates/trimmed-file.ts';
import type { Answered } from '../../threads/answered.ts';
import { packFile, THUMBNAIL_FOLDERS } from '../disk/thumbnail-packs.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { DataVersions } from '../read/data-versions.ts';
import { COMPARED, type Compared } from '../read/duplicate-state.ts';
import type { IndexReader } from '../read/index-reader.ts';
import type { DuplicatePairRepository } from '../rows/duplicate-pair.repository.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';
import type { TrimmedVectorRepository } from '../rows/trimmed-vector.repository.ts';

/** Pairs of which less agrees are forgotten. */
const LEAST_SHARE = 0.5;
/** How the names of files of a search for pairs begin. */
const FILES = 'duplicates-';

interface Parts {
  db: Database.Database;
  meta: MetaRepository;
  pairs: DuplicatePairRepository;
  trimmed: TrimmedVectorRepository;
  vectors: VectorSpaces;
  index: IndexReader;
  versions: DataVersions;
  /** The generation's. */
  folder: string;
}

/** Stores the state and the results of the comparison: [Note: Near-duplicates]. */
export class LocalDuplicateWrites implements Answered<DuplicateWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  prepareCandidates(): CandidateRequest | undefined {
    const { vectors, index, pairs, folder } = this.#parts;
    const indexFolder = join(folder, 'index');
    const { rows, borders, waiting } = this.#compared();
    const published = index.published('looks', 'IMAGES');
    if (!published || published.count <= Math.min(rows, borders) || waiting) return undefined;
    // What runs left that came to nothing.
    this.#removeFiles();
    const segments = vectors.of('looks', 'IMAGES');
    const { count, graph_file, clusters_file, lists_file } = published;
    const fileOf = (what: string) => join(indexFolder, `${FILES}${rows}-${count}.${what}`);
    const trimmedIn = fileOf('trimmed-before');
    this.#writeTrimmed(trimmedIn, segments.dim, rows);
    return {
      vectors_folder: segments.folder,
      dim: segments.dim,
      count,
      from_row: rows,
      borders_from: borders,
      graph_file,
      clusters_file,
      lists_file,
      videos: pairs.videos(count),
      originals: pairs.originals(count),
      thumbnails: { folder: join(folder, THUMBNAIL_FOLDERS.IMAGES), ...pairs.thumbnails(borders, count) },
      candidates_out: fileOf('pairs'),
      trimmed_in: trimmedIn,
      trimmed_out: fileOf('trimmed'),
    };
  }

  beginComparisons({ candidates_out, trimmed_out, count }: FoundCandidates): void {
    const { db, trimmed } = this.#parts;
    db.transaction(() => {
      for (const { row, vector } of readTrimmed(trimmed_out)) trimmed.set(row, vector);
      const waiting = { file: basename(candidates_out), count, done: 0, borders: count };
      this.#save({ ...this.#compared(), waiting });
    })();
    this.#removeFiles(candidates_out);
    // None may have been found.
    this.saveComparisons([]);
  }

  listComparisons(skip: number, limit: number): WaitingComparisons | undefined {
    const { waiting } = this.#compared();
    if (!waiting) return undefined;
    const { pairs, total } = readCandidates(this.#path(waiting), waiting.done + skip, limit);
    if (pairs.length === 0) return undefined;
    const rows = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
    const folder = join(this.#parts.folder, THUMBNAIL_FOLDERS.IMAGES);
    const thumbnails = this.#parts.pairs
      .thumbnailsOf(rows)
      .map(({ pack, ...place }) => ({ ...place, path: packFile(folder, pack) }));
    return { batch: { pairs, thumbnails }, done: waiting.done, total };
  }

  saveComparisons(shares: readonly number[]): void {
    const { db, pairs, versions } = this.#parts;
    const compared = this.#compared();
    const { waiting } = compared;
    if (!waiting) return;
    const { pairs: of, total } = readCandidates(this.#path(waiting), waiting.done, shares.length);
    const done = waiting.done + of.length;
    db.transaction(() => {
      let isChanged = false;
      for (const [at, { a, b }] of of.entries()) {
        const share = shares[at] ?? 0;
        if (share < LEAST_SHARE) continue;
        pairs.add({ row_a: a, row_b: b, share });
        isChanged = true;
      }
      const { count, borders = compared.borders } = waiting;
      this.#save(done >= total ? { rows: count, borders } : { ...compared, waiting: { ...waiting, done } });
      if (isChanged) versions.noteDuplicates();
    })();
    if (done >= total) rmSync(this.#path(waiting), { force: true });
  }

  /** Forgets rows from one on. Joins the caller's transaction. */
  clearFrom(row: number): void {
    const { pairs, trimmed, versions } = this.#parts;
    const { rows, borders } = this.#compared();
    pairs.deleteFrom(row);
    trimmed.deleteFrom(row);
    if (rows > row) this.#save({ rows: row, borders: Math.min(borders, row) });
    versions.noteDuplicates();
  }

  /** Pairs that wait are looked for again where their file is gone, as it is in a copy. */
  #compared(): Compared & { borders: number } {
    const { rows = 0, borders = 0, waiting } = this.#parts.meta.get<Compared>(COMPARED) ?? {};
    return waiting && existsSync(this.#path(waiting)) ? { rows, borders, waiting } : { rows, borders };
  }

  /** Removes what a search has written, but for one file. */
  #removeFiles(kept?: string): void {
    const indexFolder = join(this.#parts.folder, 'index');
    for (const name of readdirSync(indexFolder)) {
      const file = join(indexFolder, name);
      if (name.startsWith(FILES) && file !== kept) rmSync(file);
    }
  }

  #writeTrimmed(file: string, dim: number, count: number): void {
    const target = new TrimmedWriter(file, dim);
    try {
      for (const trimmed of this.#parts.trimmed.list(count)) target.add(trimmed);
      target.finish();
    } finally {
      target.close();
    }
  }

  #path({ file }: { file: string }): string {
    return join(this.#parts.folder, 'index', file);
  }

  #save(compared: Compared): void {
    this.#parts.meta.set(COMPARED, compared);
  }
}
