export type Fetched<Item, Result> =
  | { item: Item; ok: true; result: Result }
  | { item: Item; ok: false; error: unknown };

/**
 * Works on items in parallel and hands over what comes of them in order of completion; a failure is one item's result and does not
 * stop the others. At most `concurrency` items are held at a time, those included that wait to be taken: a slow reader slows the
 * source. Leaving the loop early stops the workers through their signal and waits for them.
 * @throws the source's error, after what was begun; the signal's reason.
 */
export async function* fetchAll<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  worker: (item: Item, signal: AbortSignal) => Promise<Result>,
  options: { concurrency: number; signal: AbortSignal },
): AsyncGenerator<Fetched<Item, Result>> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const source = toAsync(items);
  const finished: Fetched<Item, Result>[] = [];
  const running = new Set<Promise<void>>();
  let wake: () => void = () => undefined;
  let pulling: Promise<void> | undefined;
  let exhausted = false;
  let sourceError: { error: unknown } | undefined;

  function begin(item: Item): void {
    const work = run(worker, item, signal).then((outcome) => {
      finished.push(outcome);
      running.delete(work);
      wake();
    });
    running.add(work);
  }

  /** Asks the source for one more item when there is room; each answer asks for the next. */
  function pull(): void {
    if (exhausted || pulling || signal.aborted || running.size + finished.length >= options.concurrency) return;
    pulling = source.next().then(
      (step) => {
        pulling = undefined;
        if (step.done) exhausted = true;
        else if (!signal.aborted) begin(step.value);
        pull();
        wake();
      },
      (error: unknown) => {
        pulling = undefined;
        exhausted = true;
        sourceError = { error };
        wake();
      },
    );
  }

  const onAbort = () => wake();
  options.signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      options.signal.throwIfAborted();
      const ready = finished.shift();
      pull();
      if (ready) {
        yield ready;
        continue;
      }
      if (exhausted && running.size === 0) break;
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (finished.length === 0 && !options.signal.aborted) await changed;
    }
    if (sourceError) throw sourceError.error;
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    stop.abort();
    await Promise.all(running);
    // A generator that waits within its own `next` answers `return` only after it; nobody should wait for that.
    if (!exhausted) source.return?.().catch(() => undefined);
  }
}

async function run<Item, Result>(
  worker: (item: Item, signal: AbortSignal) => Promise<Result>,
  item: Item,
  signal: AbortSignal,
): Promise<Fetched<Item, Result>> {
  try {
    return { item, ok: true, result: await worker(item, signal) };
  } catch (error) {
    return { item, ok: false, error };
  }
}

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

function toAsync<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncIterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : each(items);
}
