import type { RecoveryEvent } from '../../contract/schemas/recovery.ts';
import type { Catalog } from '../ports/catalog.ts';

type NewEvent = Omit<RecoveryEvent, 'event_id' | 'acknowledged'>;

/** How many events are kept: enough to read what happened, and never a table that grows. */
const KEPT_EVENTS = 1000;

/** What starts and checks found beside the catalog. */
export class RecoveryEventRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  add(event: NewEvent): void {
    this.#catalog.transaction(() => {
      this.#catalog.run(
        `INSERT INTO recovery_event (at, kind, dataset_id, name, detail, acknowledged)
         VALUES (:at, :kind, :dataset_id, :name, :detail, 0)`,
        { ...event },
      );
      this.#catalog.run(
        'DELETE FROM recovery_event WHERE event_id <= (SELECT max(event_id) FROM recovery_event) - :kept',
        { kept: KEPT_EVENTS },
      );
    });
  }

  /** The latest first. */
  list(): RecoveryEvent[] {
    return this.#catalog
      .all<NewEvent & { event_id: number; acknowledged: number }>(
        'SELECT event_id, at, kind, dataset_id, name, detail, acknowledged FROM recovery_event ORDER BY event_id DESC',
      )
      .map((row) => ({ ...row, acknowledged: row.acknowledged === 1 }));
  }

  acknowledgeAll(): void {
    this.#catalog.run('UPDATE recovery_event SET acknowledged = 1');
  }
}
