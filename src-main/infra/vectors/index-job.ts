import { renameSync, writeFileSync } from 'node:fs';
import type { IndexRequest, IndexSummary } from '../../core/compute.port.ts';
import { agglomerate } from './agglomerate.ts';
import { writeClusters } from './cluster-file.ts';
import { buildNeighborGraph, readGraph, writeGraph } from './neighbor-graph.ts';
import { uniquenessScores } from './uniqueness.ts';
import { VectorSegments } from './vector-segments.ts';

/** Runs one index job; everything is read from and written to files, so it can run again after a crash. */
export async function runIndexJob(
  request: IndexRequest & { threads: number },
  { onProgress, signal }: { onProgress?: (fraction: number) => void; signal?: AbortSignal },
): Promise<IndexSummary> {
  const { dim, count, threads } = request;
  const segments = VectorSegments.openExisting(request.vectors_folder);
  const vectors = segments.readAll(count);
  segments.close();
  const graph =
    request.mode === 'recluster' && request.graph_in !== undefined
      ? readGraph(request.graph_in)
      : await buildNeighborGraph({
          vectors,
          dim,
          count,
          threads,
          onProgress: (fraction) => onProgress?.(fraction * 0.7),
          ...(signal ? { signal } : {}),
        });
  writeGraph(request.graph_out, graph);
  const levels = agglomerate({
    graph,
    vectors,
    dim,
    cuts: request.cuts,
    dead: new Set(request.dead_rows ?? []),
    ...(signal ? { signal } : {}),
  });
  writeClusters(request.clusters_out, levels);
  writeFloats(request.uniqueness_out, uniquenessScores(graph));
  onProgress?.(1);
  return { n_clusters: levels.map((level) => level.offsets.length - 1), recall_estimate: 1 };
}

function writeFloats(file: string, values: Float32Array): void {
  writeFileSync(`${file}.partial`, new Uint8Array(values.buffer, values.byteOffset, values.byteLength), {
    flush: true,
  });
  renameSync(`${file}.partial`, file);
}
