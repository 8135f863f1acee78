import type { Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { CheckService } from './check.service.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Interval between looks at whether a check is due. */
const LOOK_MS = 3600 * 1000;

export interface ScrubParts {
  checks: CheckService;
  datasets: Pick<DatasetCatalog, 'listAll'>;
  settings: SettingsService;
  owner: Principal;
  clock: Clock;
  log: Log;
}

/**
 * Starts a slow check of all stored data when the last complete check is older than the setting SCRUB_DAYS. The tasks of checks say when
 * that was, so it holds over restarts; an interrupted check resumes after its last dataset.
 */
export class ScrubService {
  readonly #parts: ScrubParts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ScrubParts) {
    this.#parts = parts;
  }

  start(): void {
    this.lookNow();
    this.#timer = setInterval(() => this.lookNow(), LOOK_MS).unref();
    this.#parts.settings.onChange((name) => name === 'SCRUB_DAYS' && this.lookNow());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Starts a check if one is due and none is open. Never throws. */
  lookNow(): void {
    const { checks, settings, owner, log } = this.#parts;
    try {
      const days = settings.number('SCRUB_DAYS');
      // A negative age is that of a time written while the clock was wrong.
      const age = checks.ageMs() ?? this.#ageOfOldestDataset();
      if (days > 0 && (age > days * DAY_MS || age < -DAY_MS)) checks.startScrub(owner.email);
    } catch (error) {
      log.warn({ err: error }, 'the check in the background could not be started');
    }
  }

  #ageOfOldestDataset(): number {
    const now = this.#parts.clock.now();
    return this.#parts.datasets.listAll().reduce((age, row) => Math.max(age, now - Date.parse(row.created_at)), 0);
  }
}
