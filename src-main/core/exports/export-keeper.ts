import type { Clock } from '../ports/clock.ts';
import type { Exports } from '../ports/exports.ts';
import type { Log } from '../ports/log.ts';
import type { ExportRepository } from './export.repository.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Deletes old exports, and at a start the files without an export. */
export class ExportKeeper {
  readonly #rows: ExportRepository;
  readonly #exports: Exports;
  readonly #limits: () => { days: number; most: number };
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(parts: {
    rows: ExportRepository;
    exports: Exports;
    /** Maximum age in days, and maximum number of exports per dataset. */
    limits: () => { days: number; most: number };
    clock: Clock;
    log: Log;
  }) {
    this.#rows = parts.rows;
    this.#exports = parts.exports;
    this.#limits = parts.limits;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  expiresAt(createdAt: string): string {
    return new Date(Date.parse(createdAt) + this.#limits().days * DAY_MS).toISOString();
  }

  isExpired(createdAt: string): boolean {
    return Date.parse(this.expiresAt(createdAt)) < this.#clock.now();
  }

  /** Call before any task runs. Also deletes the rows of exports whose files are missing, as after the restore of a backup. */
  async sweep(): Promise<void> {
    const there = await this.#deleteOrphaned();
    this.#rows.delete(this.#rows.listMade().filter((exportId) => !there.has(exportId)));
    await this.deleteOld();
  }

  /** Deletes the exports of deleted datasets. */
  forgetDeleted(): void {
    this.#deleteOrphaned().catch((error: unknown) =>
      this.#log.warn({ err: error }, 'exports of a deleted dataset stay until the next start'),
    );
  }

  #deleteOrphaned(): Promise<Set<string>> {
    return this.#exports.keepOnly((exportId) => this.#rows.find(exportId) !== undefined);
  }

  async deleteOld(): Promise<void> {
    const { days, most } = this.#limits();
    const before = new Date(this.#clock.now() - days * DAY_MS).toISOString();
    for (const exportId of this.#rows.listOld(before, most)) {
      try {
        await this.#exports.remove(exportId);
        this.#rows.delete([exportId]);
      } catch (error) {
        this.#log.warn({ err: error, export_id: exportId }, 'an old export could not be deleted');
      }
    }
  }
}
