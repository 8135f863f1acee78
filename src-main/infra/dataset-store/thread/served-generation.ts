/** Yielded when the present call can run. Later chunks serve later calls only, and no call waits for them. */
export const ENOUGH = Symbol('enough');

/** Reads one generation over one connection. */
export interface GenerationConnection {
  /**
   * Runs a method by name in one read transaction, after loading what it still needs. It may wait for something outside the thread, such as
   * a vector engine.
   */
  call(method: string, args: unknown[]): Promise<unknown>;
  /** Whether a call may wait for something outside the thread, before or after its data is loaded. */
  mayWait(method: string, args: unknown[]): boolean;
  /** Runs `work` in one read transaction. */
  atOneMoment(work: () => unknown): Promise<unknown>;
  /**
   * Loads in chunks the data that a call needs and that takes long to load; undefined if there is none. The call may run after {@link
   * ENOUGH}.
   */
  prepare(method: string, args: unknown[]): AsyncIterator<unknown> | undefined;
  close(): void;
}

/**
 * Maximum number of connections per generation and thread. Calls that wait for something outside the thread hold one each. One connection
 * is left to calls that wait for nothing, so that they are answered however slow a vector engine is.
 */
const MAX_CONNECTIONS = 4;
/** Milliseconds without use after which connections beyond the first are closed. */
const SPARE_IDLE_MS = 10_000;

interface Slot {
  connection: GenerationConnection;
  isHeld: boolean;
  /** Whether the call that holds the connection may wait for something outside the thread. */
  mayWait: boolean;
}

/**
 * One generation that this thread reads. Calls share the first connection and its cached data, unless a call waits inside its transaction
 * for something outside the thread. During such a wait other calls run on further connections. Other calls are answered between two chunks
 * of loading.
 */
export class ServedGeneration {
  readonly #open: () => GenerationConnection;
  #slots: Slot[] = [];
  /** Calls that wait for a connection. */
  readonly #queues: Record<'answers' | 'waits', (() => void)[]> = { answers: [], waits: [] };
  /** Calls, and loading for later calls. */
  readonly #running = new Set<Promise<unknown>>();
  #spareTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * Opens the first connection.
   * @throws whatever `open` throws.
   */
  constructor(open: () => GenerationConnection) {
    this.#open = open;
    this.#slots = [{ connection: open(), isHeld: false, mayWait: false }];
  }

  read(method: string, args: unknown[]): Promise<unknown> {
    return this.#tracked(this.#read(method, args));
  }

  /** Closes all connections, after earlier calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    clearTimeout(this.#spareTimer);
    for (const { connection } of this.#slots) connection.close();
    this.#slots = [];
  }

  async #tracked<Value>(work: Promise<Value>): Promise<Value> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async #read(method: string, args: unknown[]): Promise<unknown> {
    const mayWait = this.#mayWait(method, args);
    let slot: Slot | undefined = await this.#take(mayWait);
    let { connection } = slot;
    let chunks = connection.prepare(method, args);
    try {
      for (let made = 'more'; chunks && made === 'more'; ) {
        made = await makeChunk(connection, chunks);
        if (made === 'last') chunks = undefined;
        if (made !== 'more') break;
        this.#give(slot);
        slot = undefined;
        await nextTurn();
        slot = await this.#take(mayWait);
        if (slot.connection === connection) continue;
        // A waiting call took the connection. This call loads its data on another connection.
        await chunks?.return?.();
        connection = slot.connection;
        chunks = connection.prepare(method, args);
      }
      return await connection.call(method, args);
    } finally {
      if (slot) this.#give(slot);
      if (chunks) void this.#tracked(this.#loadRest(connection, chunks));
    }
  }

  /** Loads the chunks that later calls need, as long as the connection is free between calls. */
  async #loadRest(connection: GenerationConnection, chunks: AsyncIterator<unknown>): Promise<void> {
    for (;;) {
      await nextTurn();
      const slot = this.#slots.find((one) => one.connection === connection);
      if (this.#isClosed || !slot || slot.isHeld || !this.#isRoomFor(true)) break;
      hold(slot, true);
      const made = await makeChunk(connection, chunks);
      this.#give(slot);
      if (made === 'last') return;
    }
    await chunks.return?.();
  }

  /** Returns a free connection: the first one, a newly opened one, or the next one that becomes free. */
  async #take(mayWait: boolean): Promise<Slot> {
    const find = () => (this.#isRoomFor(mayWait) ? this.#slots.find(({ isHeld }) => !isHeld) : undefined);
    for (;;) {
      const free = find();
      if (free) return hold(free, mayWait);
      // Calls that wait for nothing outside the thread finish within their turn.
      await nextTurn();
      if (find()) continue;
      if (this.#isRoomFor(mayWait) && this.#slots.length < MAX_CONNECTIONS) {
        const slot = { connection: this.#open(), isHeld: true, mayWait };
        this.#slots.push(slot);
        return slot;
      }
      await new Promise<void>((resolve) => this.#queues[mayWait ? 'waits' : 'answers'].push(resolve));
    }
  }

  #mayWait(method: string, args: unknown[]): boolean {
    return this.#slots[0]?.connection.mayWait(method, args) ?? false;
  }

  #isRoomFor(mayWait: boolean): boolean {
    const isWaiting = (slot: Slot) => slot.isHeld && slot.mayWait;
    return !mayWait || this.#slots.filter(isWaiting).length < MAX_CONNECTIONS - 1;
  }

  #give(slot: Slot): void {
    slot.isHeld = false;
    this.#queues.answers.shift()?.();
    if (this.#isRoomFor(true)) this.#queues.waits.shift()?.();
    if (this.#slots.length === 1) return;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => this.#closeSpare(), SPARE_IDLE_MS).unref();
  }

  #closeSpare(): void {
    const isSpare = ({ isHeld }: Slot, at: number) => at > 0 && !isHeld;
    for (const { connection } of this.#slots.filter(isSpare)) connection.close();
    this.#slots = this.#slots.filter((slot, at) => !isSpare(slot, at));
  }
}

function hold(slot: Slot, mayWait: boolean): Slot {
  slot.isHeld = true;
  slot.mayWait = mayWait;
  return slot;
}

async function makeChunk(
  connection: GenerationConnection,
  chunks: AsyncIterator<unknown>,
): Promise<'last' | 'enough' | 'more'> {
  let made: 'last' | 'enough' | 'more' = 'last';
  try {
    await connection.atOneMoment(async () => {
      const { done, value } = await chunks.next();
      made = done ? 'last' : value === ENOUGH ? 'enough' : 'more';
    });
    return made;
  } catch {
    // The call meets the error too and reports it.
    return 'last';
  }
}

/** Lets the thread read messages that arrived meanwhile. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
