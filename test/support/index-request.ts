import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexRequest } from '../../src-main/core/ports/index-jobs.ts';
import type { IndexVersion, SpaceAddress } from '../../src-main/core/ports/vector-engine.ts';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import type { IndexInput } from '../../src-main/infra/vectors/index-job.ts';

/** Paths of the files of an index of items' appearance embeddings in a generation's folder. */
export function indexFiles(folder: string, version: number) {
  const file = (extension: string) => join(folder, 'index', `looks-IMAGES-${version}.${extension}`);
  return {
    graph: file('knn'),
    lists: file('lists'),
    clusters: file('clusters'),
    uniqueness: file('uniqueness'),
  };
}

export function looksOfItems(dim: number, encoderId = 'looks'): SpaceAddress {
  return { space: 'looks', entity_type: 'IMAGES', encoder_id: encoderId, dim };
}

/** Stores the vectors of rows 0, 1, … in a generation's folder. */
export async function storeVectors(folder: string, vectors: Float32Array, dim: number): Promise<void> {
  const engine = new BuiltInEngine({ folder });
  const rows = Int32Array.from({ length: vectors.length / dim }, (_, row) => row);
  await engine.open(looksOfItems(dim)).upsert(rows, vectors);
  await engine.close();
}

/** Returns a job that indexes items' appearance embeddings in a generation's folder, as the store would prepare it. */
export function indexRequest(
  folder: string,
  options: Pick<IndexRequest, 'count' | 'linkage_thresholds'> & {
    dim: number;
    version?: number;
    mode?: IndexRequest['mode'];
    published?: IndexVersion & { default_level?: number };
    dead_rows?: readonly number[];
  },
): IndexRequest {
  const { dim, count, linkage_thresholds, version = 1, mode = 'full', published, dead_rows = [] } = options;
  mkdirSync(join(folder, 'index'), { recursive: true });
  const { clusters, uniqueness } = indexFiles(folder, version);
  const input: IndexInput = {
    engine: { kind: 'built-in', folder },
    space: looksOfItems(dim),
    dead_rows,
    published: published && { ...published, clusters_file: indexFiles(folder, published.version).clusters },
    clusters_file: clusters,
    uniqueness_file: uniqueness,
  };
  return { mode, version, count, linkage_thresholds, input };
}
