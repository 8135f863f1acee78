import { formatMessage, readMessage, storeMessage } from '../../contract/messages.ts';
import type { RecoveryEvent } from '../../contract/schemas/recovery.ts';
import type { Catalog } from '../ports/catalog.ts';

type NewEvent = Omit<RecoveryEvent, 'event_id' | 'detail' | 'acknowledged'>;
type EventRow = Omit<RecoveryEvent, 'finding' | 'acknowledged'> & { acknowledged: number };

/** Maximum number of stored events. */
const MAX_EVENTS = 1000;

/** Stores the findings of starts and checks. `detail` is a stored message. */
export class RecoveryEventRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  add({ finding, ...event }: NewEvent): void {
    this.#catalog.transaction(() => {
      this.#catalog.run(
        `INSERT INTO recovery_event (at, kind, dataset_id, name, detail, acknowledged)
         VALUES (:at, :kind, :dataset_id, :name, :detail, 0)`,
        { ...event, detail: storeMessage(finding) },
      );
      this.#catalog.run(
        'DELETE FROM recovery_event WHERE event_id <= (SELECT max(event_id) FROM recovery_event) - :max',
        { max: MAX_EVENTS },
      );
    });
  }

  /** Lists findings, latest first. */
  list(): RecoveryEvent[] {
    return this.#catalog
      .all<EventRow>(
        'SELECT event_id, at, kind, dataset_id, name, detail, acknowledged FROM recovery_event ORDER BY event_id DESC',
      )
      .map(({ detail, acknowledged, ...row }) => {
        const finding = readMessage(detail);
        return { ...row, finding, detail: formatMessage(finding), acknowledged: acknowledged === 1 };
      });
  }

  /** Whether a finding about the dataset is stored already. */
  has({ dataset_id, finding }: Pick<NewEvent, 'dataset_id' | 'finding'>): boolean {
    const found = this.#catalog.find(
      'SELECT 1 FROM recovery_event WHERE dataset_id IS :dataset_id AND detail = :detail',
      { dataset_id, detail: storeMessage(finding) },
    );
    return found !== undefined;
  }

  acknowledgeAll(): void {
    this.#catalog.run('UPDATE recovery_event SET acknowledged = 1');
  }
}
