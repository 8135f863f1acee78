import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsSource } from '../core/core.ts';

/** Upper bounds of request durations in seconds, from one millisecond to uploads of minutes. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export interface AnsweredRequest {
  operation: string;
  method: string;
  status: number;
  ms: number;
}

export interface MetricsRegistry {
  contentType: string;
  observe(request: AnsweredRequest): void;
  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string>;
  close(): void;
}

/** Creates the metrics of one server: those of the process, of its requests, tasks and datasets. Names follow Prometheus' conventions. */
export function createMetricsRegistry(source: MetricsSource): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'Duration of HTTP requests until the answer was sent.',
    labelNames: ['operation', 'method', 'status'],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const tasks = gauge('vitrine_tasks', 'Tasks by type and status.', ['type', 'status']);
  const datasets = gauge('vitrine_datasets', 'Datasets by status.', ['status']);
  const deaths = gauge(
    'vitrine_compute_process_deaths',
    'Compute processes that ended unexpectedly since the start.',
    [],
  );
  const processes = gauge('vitrine_compute_processes', 'Running compute processes.', []);
  return {
    contentType: registry.contentType,
    observe: ({ operation, method, status, ms }) => durations.observe({ operation, method, status }, ms / 1000),
    text: () => {
      const now = source.read();
      tasks.reset();
      datasets.reset();
      for (const { type, status, count } of now.tasks) tasks.set({ type, status }, count);
      for (const { status, count } of now.datasets) datasets.set({ status }, count);
      deaths.set(now.compute.deaths);
      processes.set(now.compute.processes);
      return registry.metrics();
    },
    close: () => registry.clear(),
  };
}
