import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import type { EmbeddingSpace, VectorSpace } from '../../src-main/core/ports/vector-space.ts';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { Api } from '../support/api.ts';
import { startServer } from '../support/server.ts';
import { clusterAgreement } from './cluster-agreement.ts';
import { round } from './timing.ts';
import { importEncoder } from './trained-encoder.ts';

const LEVELS = [0, 1, 2, 3, 4];
const PAGE = 500;

interface Clustered {
  datasetId: string;
  space: EmbeddingSpace;
  /** Level that the dataset shows first. */
  defaultLevel: number;
  /** Each image with its class (from `name`) and its cluster at each level. */
  images: { media_id: string; name: string; clusters: readonly string[] }[];
}

interface Reference {
  average_linkage: number[][];
  average_linkage_s: number;
  k_means: number[][];
  k_means_s: number;
}

/**
 * Measures how well the clusters of labelled photos agree with their labels, at each level, by appearance embeddings and by the best
 * trained encoder that is available. The reference is scipy's k-means and average linkage of the same vectors with the same number of
 * clusters (`VITRINE_BENCH_PYTHON` names a Python with scipy).
 */
export async function measureClusters(media: string, folder: string): Promise<object> {
  const data = join(folder, 'data');
  const server = await startServer(data);
  const sets: Record<string, Clustered> = {};
  try {
    const api = new Api(server.baseUrl);
    const encoder = await importEncoder(api);
    sets.looks = await clustered(api, media, 'none');
    if (encoder !== undefined) sets[encoder] = await clustered(api, media, encoder);
  } finally {
    await server.stop();
  }
  const figures: Record<string, object> = {};
  for (const [name, set] of Object.entries(sets)) figures[name] = await agreementOf(set, data, folder);
  return figures;
}

async function clustered(api: Api, media: string, encoder: string): Promise<Clustered> {
  const datasetId = await api.createFromFolder(encoder, join(media, 'photos', 'clothing'), { encoder });
  await api.waitFor(datasetId, 'READY', 600_000);
  const images: Clustered['images'] = [];
  for (let page = 0; ; page += 1) {
    const { body } = await api.get<ItemPage>(
      `/explore/${datasetId}/items?sort_by=name&page_size=${PAGE}&page_number=${page}`,
    );
    for (const { media_id } of body.items) {
      const { body: image } = await api.get<Image>(`/dataset/${datasetId}/image/${media_id}`);
      const clusters = LEVELS.map((level) => image.cluster_ids[level] ?? media_id);
      images.push({ media_id, name: image.file_path.split('/').at(-2) ?? '', clusters });
    }
    if ((page + 1) * PAGE >= body.total) break;
  }
  const { body } = await api.get<{ default_threshold: number }>(`/explore/${datasetId}/levels`);
  const space = encoder === 'none' ? 'looks' : 'meaning';
  return { datasetId, space, defaultLevel: body.default_threshold, images };
}

async function agreementOf(set: Clustered, data: string, folder: string): Promise<object> {
  const classes = set.images.map(({ name }) => name);
  const levels = LEVELS.map((level) =>
    clusterAgreement(
      set.images.map(({ clusters }) => clusters[level] ?? ''),
      classes,
    ),
  );
  const counts = levels.map(({ clusters }) => clusters);
  const reference = await referenceOf(set, counts, data, folder);
  return {
    images: classes.length,
    classes: new Set(classes).size,
    default_level: set.defaultLevel,
    ...Object.fromEntries(
      levels.map((vitrine, level) => [
        `level_${level}`,
        {
          vitrine,
          ...(reference && {
            average_linkage: clusterAgreement(reference.average_linkage[level] ?? [], classes),
            k_means: clusterAgreement(reference.k_means[level] ?? [], classes),
          }),
        },
      ]),
    ),
    ...(reference
      ? { average_linkage_s: round(reference.average_linkage_s), k_means_s: round(reference.k_means_s) }
      : { reference: 'skipped: VITRINE_BENCH_PYTHON names no Python that has scipy' }),
  };
}

/** Clusters the same vectors with scipy. Returns clusters in the order of the images. */
async function referenceOf(
  { datasetId, space, images }: Clustered,
  counts: readonly number[],
  data: string,
  folder: string,
): Promise<Reference | undefined> {
  const python = process.env.VITRINE_BENCH_PYTHON;
  if (python === undefined) return undefined;
  const generation = join(data, 'datasets', datasetId, '1');
  const db = new Database(join(generation, 'data.db'), { readonly: true });
  const rowOf = db.prepare<[string], number>('SELECT row FROM media WHERE media_id = ?').pluck();
  const made = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const stored = JSON.parse(made.get(`vector_space:${space}:IMAGES`) ?? '{}') as VectorSpace;
  const engine = new BuiltInEngine({ folder: generation });
  const { dim } = stored;
  const rows = Int32Array.from(images, ({ media_id }) => rowOf.get(media_id) ?? 0);
  const vectors = await engine.open({ space, entity_type: 'IMAGES', ...stored }).fetch(rows);
  await engine.close();
  db.close();
  const file = join(folder, `${space}.f32`);
  await writeFile(file, new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
  const script = join(import.meta.dirname, 'clusters-reference.py');
  const { stdout } = await promisify(execFile)(python, [script, file, String(dim), counts.join(',')]);
  return JSON.parse(stdout) as Reference;
}
