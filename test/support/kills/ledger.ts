import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { image } from '../images.ts';

/** What is known of something that was asked for: it was answered, or the server was killed before and it may have happened or not. */
export type Certainty = 'sure' | 'maybe';

/** Files that came in by one request: all of them are there or none. */
export interface Batch {
  names: readonly string[];
  certainty: Certainty;
}

/** Items that an edit changed, and the query that finds them. */
export interface Edited {
  vql: unknown;
  names: readonly string[];
  certainty: Certainty;
}

/** What the server was told of a dataset, and what it has shown of it. */
export interface KnownDataset {
  id: string;
  batches: Batch[];
  edits: Edited[];
  /** Names of files whose label beside the media says so. */
  labelled: string[];
  excluded: Set<string>;
  /** What was to be left out and brought back when the server was killed. */
  leftOut?: readonly string[];
  /** Its folder when it is watched, with what is in it now. */
  watched?: { folder: string; names: Set<string> };
  deletion?: Certainty;
  /** Ids and thumbnails of items by the name of their file: they never change. */
  mediaIds: Map<string, string>;
  thumbnails: Map<string, Buffer>;
}

/** Everything that must be there after a kill, and the bytes of all files that were ever handed over. */
export class Ledger {
  readonly datasets: KnownDataset[] = [];
  /** Display names of datasets that may have been created, with what would be in them. */
  readonly unanswered = new Map<string, Omit<KnownDataset, 'id'>>();
  readonly bytes = new Map<string, Buffer>();
  /** Backups that were begun and answered. */
  backups = 0;
  #serial = 0;

  /** A number that was never given before. */
  next(): number {
    this.#serial += 1;
    return this.#serial;
  }

  /** Writes new images, unlike all others, and gives their names. */
  async writeImages(folder: string, count: number): Promise<string[]> {
    const names = Array.from({ length: count }, () => `image-${this.next()}.jpg`);
    for (const name of names) {
      const bytes = await image(this.next(), 160, 120);
      this.bytes.set(name, bytes);
      await writeFile(join(folder, name), bytes);
    }
    return names;
  }
}

export function newDataset(batches: Batch[], labelled: string[] = []): Omit<KnownDataset, 'id'> {
  return { batches, labelled, edits: [], excluded: new Set(), mediaIds: new Map(), thumbnails: new Map() };
}

/** Names that are surely in a dataset. */
export function sureNames({ batches, watched }: KnownDataset): string[] {
  const watchedNames = watched ? [...watched.names] : [];
  return [...batches.filter(({ certainty }) => certainty === 'sure').flatMap(({ names }) => names), ...watchedNames];
}
