/**
 * Works on chunks with at most `limit` under way, and gives results in the order of the chunks, so that what is saved is the same whatever
 * finishes first and memory holds a fixed number of chunks. Ends only when all that was begun has ended.
 */
export async function* workAhead<Chunk, Result>(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  work: (chunk: Chunk) => Promise<Result>,
  limit: number,
): AsyncGenerator<{ chunk: Chunk; result: Result }> {
  const underWay: { chunk: Chunk; result: Promise<Result> }[] = [];
  const oldest = async () => {
    const first = underWay.shift();
    return first && { chunk: first.chunk, result: await first.result };
  };
  try {
    for await (const chunk of chunks) {
      const result = work(chunk);
      // It is awaited in its turn; a failure before that must not count as unhandled.
      result.catch(() => undefined);
      underWay.push({ chunk, result });
      if (underWay.length < limit) continue;
      const done = await oldest();
      if (done) yield done;
    }
    for (let done = await oldest(); done; done = await oldest()) yield done;
  } finally {
    await Promise.allSettled(underWay.map(({ result }) => result));
  }
}
