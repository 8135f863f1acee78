import type { ComputePool, IndexRequest } from '../compute.port.ts';
import type { DatasetStore } from '../dataset-store.port.ts';
import type { Encoder } from '../encoder.port.ts';

/**
 * Builds the neighbour graph and clusters of all saved items (`full`), joins new ones to what there is (`extend`), or clusters the stored
 * graph again (`recluster`), and switches reads to the result.
 */
export async function updateIndex(
  mode: IndexRequest['mode'],
  parts: {
    store: DatasetStore;
    compute: ComputePool;
    encoder: Encoder;
    signal: AbortSignal;
    onProgress: (fraction: number) => void;
  },
): Promise<void> {
  const { store, compute, encoder, signal, onProgress } = parts;
  const files = await store.prepareIndex('IMAGES');
  const before = files.published;
  await compute.buildIndex(
    {
      mode: before ? mode : 'full',
      vectors_folder: files.vectors_folder,
      dim: files.dim,
      count: files.count,
      dead_rows: files.dead_rows,
      ...(before ? { graph_in: before.graph_file, clusters_in: before.clusters_file } : {}),
      graph_out: files.graph_file,
      clusters_out: files.clusters_file,
      uniqueness_out: files.uniqueness_file,
      cuts: [...encoder.cuts],
    },
    { signal, on_progress: onProgress },
  );
  await store.publishIndex('IMAGES', files);
}
