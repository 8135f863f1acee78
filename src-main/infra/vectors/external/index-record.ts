import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExternalKind } from '../../../core/ports/external-engine.ts';
import type { SpaceAddress } from '../../../core/ports/vector-engine.ts';

/** What an external engine has of a space. */
export interface IndexRecord {
  kind: ExternalKind;
  collection: string;
  /** Rows 0 … count - 1 were copied to the engine. */
  count: number;
  /** While rows from `count` on are being copied, or after that was interrupted: rows below may have been sent. */
  n_sent?: number;
  /** Number of entries of the list of changed rows that the engine has. */
  n_changes: number;
}

/**
 * The files that record which vectors of a space an external engine has: a small JSON file, replaced whole after each copy, and a list of
 * the rows that were replaced or removed, appended by the writer. They belong to one generation and are in no copy or snapshot of it, so that
 * two generations never share a collection.
 */
export class IndexRecordFiles {
  readonly #record: string;
  readonly #changes: string;
  #read: { modified_ms: number; record: IndexRecord | undefined } | undefined;

  /** @param folder The generation's folder. */
  constructor(folder: string, { space, entity_type }: Pick<SpaceAddress, 'space' | 'entity_type'>) {
    const stem = join(folder, 'index', `${space}-${entity_type}`);
    this.#record = `${stem}.external.json`;
    this.#changes = `${stem}.changed`;
  }

  /** Returns undefined if no external engine has vectors of the space. */
  find(): IndexRecord | undefined {
    const modifiedMs = statSync(this.#record, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (this.#read?.modified_ms !== modifiedMs) {
      const record = modifiedMs < 0 ? undefined : (JSON.parse(readFileSync(this.#record, 'utf8')) as IndexRecord);
      this.#read = { modified_ms: modifiedMs, record };
    }
    return this.#read.record;
  }

  write(record: IndexRecord): void {
    mkdirSync(dirname(this.#record), { recursive: true });
    const partial = `${this.#record}.partial`;
    writeFileSync(partial, JSON.stringify(record));
    renameSync(partial, this.#record);
  }

  /** Notes those of some rows that were copied or sent, because their vectors were replaced or removed. */
  noteChanged(rows: Int32Array): void {
    const record = this.find();
    if (!record) return;
    const nSent = Math.max(record.count, record.n_sent ?? 0);
    const known = rows.filter((row) => row < nSent);
    if (known.length > 0)
      appendFileSync(this.#changes, new Uint8Array(known.buffer, known.byteOffset, known.byteLength));
  }

  /** Returns the list of changed rows from entry `from` on. */
  changedSince(from: number): Int32Array {
    if (!existsSync(this.#changes)) return new Int32Array();
    const bytes = readFileSync(this.#changes);
    return new Int32Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 4))).buffer).subarray(from);
  }

  delete(): void {
    rmSync(this.#record, { force: true });
    rmSync(this.#changes, { force: true });
  }
}
