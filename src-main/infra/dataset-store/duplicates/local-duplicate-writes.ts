import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { CandidateJob, DuplicateWrites, WaitingComparisons } from '../../../core/ports/duplicates.ts';
import { readCandidates } from '../../duplicates/candidate-file.ts';
import type { CandidateInput } from '../../duplicates/find-candidates.ts';
import { readTrimmed, TrimmedWriter } from '../../duplicates/trimmed-file.ts';
import type { Answered } from '../../threads/answered.ts';
import type { EngineLocation } from '../../vectors/open-engine.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import { packFile, THUMBNAIL_FOLDERS } from '../disk/thumbnail-packs.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import { findSpace } from '../vectors/vector-spaces.ts';
import type { DuplicatePairRepository } from './duplicate-pair.repository.ts';
import { COMPARED, type Compared } from './duplicate-state.ts';
import type { TrimmedVectorRepository } from './trimmed-vector.repository.ts';

/** Minimum share, 0 … 1, of a stored pair. Pairs with a lower share are discarded. */
const LEAST_SHARE = 0.5;
/** Prefix of the names of the files of a search for pairs. */
const FILES = 'duplicates-';
/** Name of the file of corners, which later searches use as well. */
const FEATURES = 'image-corners.bin';

interface Parts {
  db: Database.Database;
  meta: MetaRepository;
  pairs: DuplicatePairRepository;
  trimmed: TrimmedVectorRepository;
  engine: EngineLocation;
  index: IndexReader;
  versions: DataVersions;
  /** Folder of the generation. */
  folder: string;
}

/** Stores the state and the results of the comparison: [Note: Near-duplicates]. */
export class LocalDuplicateWrites implements Answered<DuplicateWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  prepareCandidates(): CandidateJob | undefined {
    const { engine, meta, index, pairs, folder } = this.#parts;
    const { rows, waiting } = this.#compared();
    const published = index.published('looks', 'IMAGES');
    const made = findSpace(meta, 'looks', 'IMAGES');
    if (!published || !made || published.count <= rows || waiting) return undefined;
    // Files of earlier jobs that did not finish.
    this.#removeFiles();
    const { count, version } = published;
    const fileOf = (what: string) => join(folder, 'index', `${FILES}${rows}-${count}.${what}`);
    const knownTrimmedFile = fileOf('trimmed-before');
    this.#writeTrimmed(knownTrimmedFile, made.dim, rows);
    const input: CandidateInput = {
      engine,
      vectors: { space: 'looks', entity_type: 'IMAGES', ...made },
      index: { version, count },
      from_row: rows,
      clusters_file: index.files('looks', 'IMAGES', version).clusters_file,
      videos: pairs.videos(count),
      originals: pairs.originals(count),
      thumbnails: { folder: join(folder, THUMBNAIL_FOLDERS.IMAGES), ...pairs.thumbnails(rows, count) },
      candidates_file: fileOf('pairs'),
      known_trimmed_file: knownTrimmedFile,
      trimmed_file: fileOf('trimmed'),
      features_file: this.#featuresFile,
    };
    return { index_version: version, count, input };
  }

  beginComparisons(job: CandidateJob): void {
    const { db, trimmed } = this.#parts;
    const { candidates_file, trimmed_file, index } = job.input as CandidateInput;
    db.transaction(() => {
      for (const { row, vector } of readTrimmed(trimmed_file)) trimmed.set(row, vector);
      const waiting = { file: basename(candidates_file), count: index.count, done: 0 };
      this.#save({ ...this.#compared(), waiting });
    })();
    this.#removeFiles(candidates_file);
    // There may be no pairs to compare.
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
    return { batch: { pairs, thumbnails, features_file: this.#featuresFile }, done: waiting.done, total };
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
      this.#save(done >= total ? { rows: waiting.count } : { ...compared, waiting: { ...waiting, done } });
      if (isChanged) versions.noteDuplicates();
    })();
    if (done >= total) rmSync(this.#path(waiting), { force: true });
  }

  /** Deletes the data of rows from `row` on. Joins the caller's transaction. */
  clearFrom(row: number): void {
    const { pairs, trimmed, versions } = this.#parts;
    const { rows } = this.#compared();
    pairs.deleteFrom(row);
    trimmed.deleteFrom(row);
    if (rows > row) this.#save({ rows: row });
    versions.noteDuplicates();
  }

  /** Returns the state. If the file of waiting pairs is missing, as in a copy of the dataset, the pairs are searched again. */
  #compared(): Compared {
    const { rows = 0, waiting } = this.#parts.meta.get<Compared>(COMPARED) ?? {};
    return waiting && existsSync(this.#path(waiting)) ? { rows, waiting } : { rows };
  }

  /** Deletes the files of searches, except `kept`. */
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

  get #featuresFile(): string {
    return join(this.#parts.folder, 'index', FEATURES);
  }

  #path({ file }: { file: string }): string {
    return join(this.#parts.folder, 'index', file);
  }

  #save(compared: Compared): void {
    this.#parts.meta.set(COMPARED, compared);
  }
}
