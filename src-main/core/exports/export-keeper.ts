import type { Clock } from '../ports/clock.ts';
import type { Exports } from '../ports/exports.ts';
import type { Log } from '../ports/log.ts';
import type { ClockJump, ExportRepository } from './export.repository.ts';

const DAY_MS = 24 * 3600 * 1000;
const LOOK_MS = 3600 * 1000;

/**
 * Deletes old exports, and at a start the files without an export. New exports must survive a clock that jumps ahead: an interval in which
 * the app did not run, or did not read the clock, counts as one day at most.
 */
export class ExportKeeper {
  readonly #rows: ExportRepository;
  readonly #exports: Exports;
  readonly #limits: () => { days: number; most: number };
  readonly #clock: Clock;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;

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
    return this.#expiry(createdAt, this.#rows.listJumps());
  }

  isExpired(createdAt: string): boolean {
    return isPast(this.expiresAt(createdAt), this.#clock);
  }

  #expiry(createdAt: string, jumps: readonly ClockJump[]): string {
    let end = Date.parse(createdAt) + this.#limits().days * DAY_MS;
    // Jumps are in order of time, so each moves those behind it into reach.
    for (const { from_at, to_at } of jumps) {
      const [from, to] = [Math.max(Date.parse(from_at), Date.parse(createdAt)), Date.parse(to_at)];
      if (from < to && from < end) end += to - from;
    }
    return new Date(end).toISOString();
  }

  /** Follows the clock while the app runs. */
  start(): void {
    this.#timer = setInterval(() => void this.deleteOld(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
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
    this.#rows.noteTime(this.#clock.iso(), DAY_MS);
    const jumps = this.#rows.listJumps();
    const isOld = (createdAt: string) => isPast(this.#expiry(createdAt, jumps), this.#clock);
    for (const exportId of this.#rows.listOld(isOld, this.#limits().most)) {
      try {
        await this.#exports.remove(exportId);
        this.#rows.delete([exportId]);
      } catch (error) {
        this.#log.warn({ err: error, export_id: exportId }, 'an old export could not be deleted');
      }
    }
  }
}

function isPast(time: string, clock: Clock): boolean {
  return Date.parse(time) < clock.now();
}
