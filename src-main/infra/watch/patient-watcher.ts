import { FSWatcher } from 'chokidar';

/** Folders that are read at the same time: enough that the disk is never idle. */
const READ_AT_ONCE = 8;

/**
 * Chokidar, but for how it begins: by itself it reads all folders of a tree at the same time and so has every file of it in hand at once,
 * kilobytes for each, which the system does not get back. Here the folders take turns, which begin and end with events of their streams:
 * p-map limits only what it calls itself.
 */
export class PatientWatcher extends FSWatcher {
  readonly #waiting: (() => void)[] = [];
  #reading = 0;

  override createScanStream(...scan: Parameters<FSWatcher['createScanStream']>) {
    const stream = super.createScanStream(...scan);
    if (!stream) return undefined;
    const read = stream._read.bind(stream);
    let turn: Promise<void> | undefined;
    stream._read = async (size) => {
      turn ??= this.#takeTurn();
      await turn;
      await read(size);
    };
    // It closes in any case: at its end, after a failure, and when the watcher does.
    stream.once('close', () => void turn?.then(() => this.#endTurn()));
    return stream;
  }

  #takeTurn(): Promise<void> {
    if (this.#reading < READ_AT_ONCE) {
      this.#reading += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The next one has the turn from here on. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#reading -= 1;
  }
}
