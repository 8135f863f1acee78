import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { LOCAL_FILES, localTransformers } from '../../src-main/infra/inference/local-transformers.ts';
import { innerProduct } from '../../src-main/infra/vectors/rows.ts';
import { Api } from '../support/api.ts';
import { findModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';
import { quantile, round } from './timing.ts';
import { importEncoder } from './trained-encoder.ts';

/** Number of captions that are queried (default all); `VITRINE_BENCH_CAPTIONS` overrides it. */
const CAPTIONS = Number(process.env.VITRINE_BENCH_CAPTIONS ?? Number.POSITIVE_INFINITY);
/** Ranks at which recall is computed. */
const RANKS = [1, 5, 10];
const MAX_RANK = Math.max(...RANKS);
/** Name of the model that the reference can load too. */
const MODEL = 'standin-clip';

interface Captioned {
  files: string[];
  captions: { file: string; text: string }[];
}

/**
 * Measures text-to-image search: whether the image that a caption describes is among the first results. The reference is a plain search
 * with the same model: the library's own encoders, one image at a time, and the inner product with each image.
 */
export async function measureTexts(media: string, folder: string): Promise<object> {
  const models = findModels();
  if (!('root' in models)) return { skipped: models.missing };
  const captioned = await readCaptions(media);
  const server = await startServer(join(folder, 'data'));
  try {
    const api = new Api(server.baseUrl);
    const encoder = await importEncoder(api);
    if (encoder === undefined) return { skipped: 'no encoder at hand knows texts' };
    return {
      encoder,
      images: captioned.files.length,
      captions: captioned.captions.length,
      vitrine: await measureProduct(api, encoder, media, captioned),
      plain_search: await measurePlain(join(models.root, MODEL), media, captioned),
    };
  } finally {
    await server.stop();
  }
}

async function readCaptions(media: string): Promise<Captioned> {
  const read = JSON.parse(await readFile(join(media, 'photos', 'coco', 'captions.json'), 'utf8')) as {
    images: { id: number; file_name: string }[];
    annotations: { image_id: number; caption: string }[];
  };
  const fileOf = new Map(read.images.map(({ id, file_name }) => [id, file_name]));
  return {
    files: [...fileOf.values()],
    captions: read.annotations.slice(0, CAPTIONS).flatMap(({ image_id, caption }) => {
      const file = fileOf.get(image_id);
      return file === undefined ? [] : [{ file, text: caption }];
    }),
  };
}

async function measureProduct(api: Api, encoder: string, media: string, { captions }: Captioned): Promise<object> {
  const id = await api.createFromFolder('captioned', join(media, 'photos', 'coco', 'images'), { encoder });
  await api.waitFor(id, 'READY', 600_000);
  const times: number[] = [];
  const found: string[][] = [];
  for (const { text } of captions) {
    const vql = encodeURIComponent(JSON.stringify([{ text: { op: 'semantic', value: text } }]));
    const started = performance.now();
    const { body } = await api.get<ItemPage>(`/explore/${id}/items?page_size=${MAX_RANK}&vql=${vql}`);
    times.push(performance.now() - started);
    found.push(body.items.map(({ file_name }) => file_name));
  }
  return { ...recalls(captions, found), p50_ms: round(quantile(times, 0.5)), p95_ms: round(quantile(times, 0.95)) };
}

async function measurePlain(model: string, media: string, { files, captions }: Captioned): Promise<object> {
  const { AutoProcessor, AutoTokenizer, CLIPTextModelWithProjection, CLIPVisionModelWithProjection, RawImage } =
    await localTransformers();
  const options = { ...LOCAL_FILES, dtype: 'fp32' } as const;
  const [processor, tokenizer, vision, text] = await Promise.all([
    AutoProcessor.from_pretrained(model, options),
    AutoTokenizer.from_pretrained(model, options),
    CLIPVisionModelWithProjection.from_pretrained(model, options),
    CLIPTextModelWithProjection.from_pretrained(model, options),
  ]);
  const images: Float32Array[] = [];
  for (const file of files) {
    const image = await RawImage.read(join(media, 'photos', 'coco', 'images', file));
    images.push(unit((await vision(await processor(image))).image_embeds.data as Float32Array));
  }
  const found: string[][] = [];
  for (const caption of captions) {
    const tokens = tokenizer(caption.text, { padding: true, truncation: true });
    const query = unit((await text(tokens)).text_embeds.data as Float32Array);
    const scores = images.map((vector) => innerProduct(vector, 0, query, 0, query.length));
    const order = scores.map((_score, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    found.push(order.slice(0, MAX_RANK).map((at) => files[at] ?? ''));
  }
  await Promise.all([vision.dispose(), text.dispose()]);
  return recalls(captions, found);
}

function recalls(captions: Captioned['captions'], found: readonly string[][]): Record<string, number> {
  return Object.fromEntries(
    RANKS.map((rank) => {
      const hits = captions.filter(({ file }, at) => found[at]?.slice(0, rank).includes(file)).length;
      return [`recall_at_${rank}`, round(hits / captions.length)];
    }),
  );
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}
