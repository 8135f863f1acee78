import { FSWatcher } from 'chokidar';

/** Number of folders that are read at the same time: enough that the disk is never idle. */
const READ_AT_ONCE = 8;

/**
 * Chokidar with a limited number of folder reads. By itself Chokidar reads all folders of a tree at the same time and so holds all files of
 * the tree in memory at once, at kilobytes per file, which are not returned to the system. Here the folders wait for a turn. A turn starts
 * and
 * finishes with events of the folder's stream, so p-map cannot be used: it limits only functions that it calls itself.
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
    // The stream closes in every case: at its end, after a failure, and when the watcher closes.
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

  /** Passes the turn to the next waiting folder. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#reading -= 1;
  }
}
