import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a server's process by the bench: on SIGUSR2 writes the event-loop delay since the last time. */
const report = process.env.VITRINE_BENCH_REPORT;
// Threads and child processes inherit the option that loads this; only the core's own thread is measured.
if (report !== undefined && isMainThread && process.send === undefined) {
  const resolutionMs = 5;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let nth = 0;
  process.on('SIGUSR2', () => {
    nth += 1;
    // The histogram counts the timer's own period; the delay is what is beyond it.
    const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    const figures = {
      nth,
      p50_ms: beyond(histogram.percentile(50)),
      p99_ms: beyond(histogram.percentile(99)),
      max_ms: beyond(histogram.max),
    };
    writeFileSync(`${report}.new`, JSON.stringify(figures));
    renameSync(`${report}.new`, report);
    histogram.reset();
  });
}
