import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { image } from '../images.ts';

/**
 * Certainty about a requested change. `sure`: the request was answered; `maybe`: the server was killed first, so the change may or may not
 * have happened.
 */
export type Certainty = 'sure' | 'maybe';

/** Files that were added by one request. Either all of them exist or none. */
export interface Batch {
  names: readonly string[];
  certainty: Certainty;
}

/** Items that an edit changed, and the query that matches them. */
export interface Edited {
  vql: unknown;
  names: readonly string[];
  certainty: Certainty;
}

/** A dataset: changes that the server was asked to make, and results that it has shown. */
export interface KnownDataset {
  id: string;
  batches: Batch[];
  edits: Edited[];
  /** Names of files that are labelled by an annotation file beside the media. */
  labelled: string[];
  excluded: Set<string>;
  /** Items that were to be excluded and restored when the server was killed. */
  leftOut?: readonly string[];
  /** The dataset's watched folder, if any, with its current files. */
  watched?: { folder: string; names: Set<string> };
  deletion?: Certainty;
  /** Ids and thumbnails of items by file name. They never change. */
  mediaIds: Map<string, string>;
  thumbnails: Map<string, Buffer>;
}

/** Records everything that must exist after a kill, and the bytes of all files that were ever sent. */
export class Ledger {
  readonly datasets: KnownDataset[] = [];
  /** Display names of datasets that may have been created, with their expected contents. */
  readonly unanswered = new Map<string, Omit<KnownDataset, 'id'>>();
  readonly bytes = new Map<string, Buffer>();
  /** Number of backups that were started and acknowledged. */
  backups = 0;
  #serial = 0;

  /** Returns a number that was not returned before. */
  next(): number {
    this.#serial += 1;
    return this.#serial;
  }

  /** Writes new images that are all different and returns their names. */
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

/** Names of files that are certainly in a dataset. */
export function sureNames({ batches, watched }: KnownDataset): string[] {
  const watchedNames = watched ? [...watched.names] : [];
  return [...batches.filter(({ certainty }) => certainty === 'sure').flatMap(({ names }) => names), ...watchedNames];
}
