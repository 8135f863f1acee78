import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a server's process by the bench. On SIGUSR2 it writes the event-loop delay since the last report. */
const report = process.env.VITRINE_BENCH_REPORT;
// Threads and child processes inherit the option that loads this file. Only the core's main thread is measured.
if (report !== undefined && isMainThread && process.send === undefined) {
  const resolutionMs = 5;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let nth = 0;
  process.on('SIGUSR2', () => {
    nth += 1;
    // The histogram includes the timer's own period, which is subtracted to get the delay.
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
