export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Returns the quantile of the numbers at a fraction, 0 … 1; the median at 0.5. */
export function quantile(numbers: readonly number[], fraction: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** Runs calls one after the other and returns statistics of the milliseconds that they report. */
export async function latencies(
  times: number,
  call: (nth: number) => Promise<number>,
): Promise<{ p50_ms: number; p95_ms: number }> {
  const taken: number[] = [];
  for (let nth = 0; nth < times; nth += 1) taken.push(await call(nth));
  return { p50_ms: round(quantile(taken, 0.5)), p95_ms: round(quantile(taken, 0.95)) };
}
