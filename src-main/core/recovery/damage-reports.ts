import type { Message } from '../../contract/messages.ts';
import type { Log } from '../ports/log.ts';

/** Generation of a dataset whose database is damaged. */
export interface DamagedGeneration {
  dataset_id: string;
  generation: number;
}

type Receiver = (damaged: DamagedGeneration, reason: Message) => void;

/**
 * Passes reports of damaged datasets from the stores to the service that handles them. Stores can be used before that service exists:
 * earlier reports wait until it is connected.
 */
export class DamageReports {
  readonly #waiting: [DamagedGeneration, Message][] = [];
  readonly #log: Log;
  #receive: Receiver | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reports damage. Never throws, because the caller is about to throw its own error. */
  report(damaged: DamagedGeneration, reason: Message): void {
    if (this.#receive) this.#deliver(this.#receive, damaged, reason);
    else this.#waiting.push([damaged, reason]);
  }

  /** Delivers the waiting reports, then each new report immediately. */
  connect(receive: Receiver): void {
    this.#receive = receive;
    for (const [damaged, reason] of this.#waiting.splice(0)) this.#deliver(receive, damaged, reason);
  }

  #deliver(receive: Receiver, damaged: DamagedGeneration, reason: Message): void {
    try {
      receive(damaged, reason);
    } catch (error) {
      this.#log.error({ err: error, ...damaged }, 'a report of damage could not be handled');
    }
  }
}
