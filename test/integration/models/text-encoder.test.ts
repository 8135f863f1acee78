import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { TextTower } from '../../../src-main/contract/schemas/model-definition.ts';
import { localTransformers } from '../../../src-main/infra/inference/local-transformers.ts';
import { openTextEncoder } from '../../../src-main/infra/inference/text-encoder.ts';
import { tokenIdsOf } from '../../../src-main/infra/inference/token-batch.ts';
import { atEnd } from '../../support/at-end.ts';
import { findModels } from '../../support/models.ts';
import { needs } from '../../support/needs.ts';
import { countSockets, knockInVain } from '../../support/socket-count.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type TinyModel, writeTinyModel } from '../../support/tiny-models/generate.ts';
import { float, GraphBuilder, int64 } from '../../support/tiny-models/graph-builder.ts';

const CPU = { executionProviders: ['cpu'], threads: 1 };
const LIBRARY = { dtype: 'fp32', session_options: { intraOpNumThreads: 1 } } as const;
const TEXTS = ['A photo of a CAT on the table', 'dog', 'Two horses, running near the sea; many birds flying'];
const CLIP: TextTower = {
  model_file: 'onnx/text_model.onnx',
  output: 'text_embeds',
  pooling: 'none',
  max_tokens: 77,
  padding: 'longest',
};
const SIGLIP: TextTower = { ...CLIP, output: 'pooler_output', max_tokens: 64, padding: 'max_length' };
const SENTENCES: TextTower = {
  model_file: 'onnx/model.onnx',
  pooling: 'mean',
  max_tokens: 512,
  padding: 'longest',
};

let root = '';
const folders = new Map<TinyModel, string>();
const at = (name: TinyModel) => folders.get(name) ?? '';

beforeAll(async () => {
  root = await temporaryFolder(atEnd);
  for (const name of ['clip', 'siglip2', 'sentence-encoder'] as const) folders.set(name, writeTinyModel(root, name));
});

async function encode(folder: string, tower: TextTower, texts: readonly string[]): Promise<Float32Array[]> {
  const encoder = await openTextEncoder(folder, tower, CPU);
  try {
    return await encoder.encode(texts);
  } finally {
    await encoder.release();
  }
}

function expectSame(found: readonly Float32Array[], expected: readonly (readonly number[])[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [row, vector] of found.entries()) {
    expect(vector).toHaveLength(expected[row]?.length ?? -1);
    for (const [axis, value] of vector.entries()) expect(value).toBeCloseTo(expected[row]?.[axis] ?? NaN, 5);
  }
}

function normalised(rows: readonly (readonly number[])[]): number[][] {
  return rows.map((row) => {
    const norm = Math.hypot(...row);
    return row.map((value) => (norm === 0 ? 0 : value / norm));
  });
}

/** Returns the text embeddings of transformers.js's own classes. */
async function towerOfLibrary(folder: string, tower: TextTower, texts: string[]): Promise<number[][]> {
  const { AutoTokenizer, CLIPTextModelWithProjection, SiglipTextModel } = await localTransformers();
  const tokenizer = await AutoTokenizer.from_pretrained(folder);
  const Tower = tower.padding === 'max_length' ? SiglipTextModel : CLIPTextModelWithProjection;
  const model = await Tower.from_pretrained(folder, LIBRARY);
  const padding = tower.padding === 'max_length' ? 'max_length' : true;
  const output = await model(tokenizer(texts, { padding, truncation: true }));
  await model.dispose();
  return normalised(output[tower.output ?? ''].tolist());
}

async function sentencesOfLibrary(folder: string, texts: string[], pooling: 'mean' | 'cls'): Promise<number[][]> {
  const { pipeline } = await localTransformers();
  const extract = await pipeline('feature-extraction', folder, LIBRARY);
  const output = await extract(texts, { pooling, normalize: true });
  await extract.dispose();
  return output.tolist();
}

describe('a text encoder', () => {
  it('gives the vectors of transformers.js for a CLIP-like tower', async () => {
    expectSame(await encode(at('clip'), CLIP, TEXTS), await towerOfLibrary(at('clip'), CLIP, TEXTS));
  });

  it('gives the vectors of transformers.js for a SigLIP 2-like tower, which is padded to its full length', async () => {
    expectSame(await encode(at('siglip2'), SIGLIP, TEXTS), await towerOfLibrary(at('siglip2'), SIGLIP, TEXTS));
  });

  it.each(['mean', 'cls'] as const)(
    'gives the vectors of transformers.js for sentences, pooling %s',
    async (pooling) => {
      const folder = at('sentence-encoder');
      const found = await encode(folder, { ...SENTENCES, pooling }, TEXTS);
      expectSame(found, await sentencesOfLibrary(folder, TEXTS, pooling));
    },
  );

  it('ignores case when the model does', async () => {
    const [small, capital] = await encode(at('clip'), CLIP, ['a cat', 'A  CAT ']);
    expect(capital).toEqual(small);
  });

  it.each([
    ['clip', CLIP],
    ['siglip2', SIGLIP],
    ['sentence-encoder', SENTENCES],
  ] as const)('encodes texts of %s in batches as one by one, in order', async (name, tower) => {
    const texts = Array.from({ length: 70 }, (_, index) => `${TEXTS[index % 3]} ${'tree '.repeat(index % 7)}`);
    const encoder = await openTextEncoder(at(name), tower, CPU);
    const together = await encoder.encode(texts);
    const apart: Float32Array[] = [];
    for (const text of texts) apart.push(...(await encoder.encode([text])));
    await encoder.release();
    expectSame(
      together,
      apart.map((vector) => [...vector]),
    );
  });

  it('cuts a long text before its closing token', async () => {
    const { AutoTokenizer } = await localTransformers();
    const tokenizer = await AutoTokenizer.from_pretrained(at('clip'));
    const long = 'two dogs running on the beach '.repeat(40);
    const whole = tokenizer.encode(long);
    const ids = tokenIdsOf(tokenizer, long, 77);
    expect(ids).toHaveLength(77);
    expect(ids.slice(0, 76)).toEqual(whole.slice(0, 76));
    expect(ids.at(-1)).toBe(whole.at(-1));
    expect(tokenIdsOf(tokenizer, 'a dog', 77)).toEqual(tokenizer.encode('a dog'));
    const [vector] = await encode(at('clip'), CLIP, [long]);
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
  });

  it('gives unit vectors, and zeros for an output without direction', async () => {
    for (const vector of await encode(at('sentence-encoder'), SENTENCES, ['a cat', 'zzzz', ''])) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    const folder = writeTinyModel(join(root, 'empty'), 'sentence-encoder');
    const vectors = { zero: 0, 'not a number': NaN };
    for (const value of Object.values(vectors)) {
      await writeFile(join(folder, 'onnx/model.onnx'), constantTower(value));
      const [vector] = await encode(folder, { ...SENTENCES, pooling: 'none' }, ['a cat']);
      expect([...(vector ?? [])]).toEqual([0, 0, 0, 0]);
    }
  });

  it('feeds graphs that take int32, or one text at a time', async () => {
    const folder = writeTinyModel(join(root, 'narrow'), 'sentence-encoder');
    const graph = new GraphBuilder(1);
    const values = graph.op('Cast', ['input_ids'], { to: { int: 1 } });
    const squares = graph.op('Mul', [values, graph.op('Cast', ['attention_mask'], { to: { int: 1 } })]);
    graph.output('out', graph.op('Concat', [first(graph, squares, 1), first(graph, squares, 2)], { axis: { int: 1 } }));
    const narrow = (name: string) => ({ name, type: 'int32' as const, shape: [1, 'tokens'] });
    const bytes = graph.model('narrow', [narrow('input_ids'), narrow('attention_mask')], [float('out', [1, 2])]);
    await writeFile(join(folder, 'onnx/model.onnx'), bytes);
    const { AutoTokenizer } = await localTransformers();
    const tokenizer = await AutoTokenizer.from_pretrained(folder);
    const expected = TEXTS.map((text) => tokenizer.encode(text).slice(1, 3));
    expectSame(await encode(folder, { ...SENTENCES, pooling: 'none' }, TEXTS), normalised(expected));
  });

  it('opens no connection', async () => {
    const sockets = countSockets();
    await encode(at('clip'), CLIP, TEXTS);
    await encode(at('sentence-encoder'), SENTENCES, TEXTS);
    expect(sockets()).toBe(0);
    // Proves that the counter detects a connection.
    await knockInVain();
    expect(sockets()).toBe(1);
  });
});

describe('a text encoder that cannot be used', () => {
  const refusal = async (folder: string, tower: TextTower & { dim?: number }, text = 'a cat'): Promise<AppError> => {
    const failure = await openTextEncoder(folder, tower, CPU)
      .then((encoder) => encoder.encode([text]).finally(() => encoder.release()))
      .catch((error: unknown) => error);
    if (!(failure instanceof AppError)) throw new Error('expected an AppError', { cause: failure });
    expect(failure.code).toBe('unavailable');
    expect(failure.message).not.toContain(root);
    expect(failure.message).not.toMatch(/[\\/]tmp|at .*:\d+/);
    return failure;
  };

  it('names the file that is damaged or missing, without its path', async () => {
    const folder = writeTinyModel(join(root, 'broken'), 'clip');
    await writeFile(join(folder, 'tokenizer.json'), '{"version": "1.0", "model": {');
    expect((await refusal(folder, CLIP)).message).toContain('tokenizer.json is damaged');
    await writeFile(join(folder, 'tokenizer.json'), '{"version": "1.0"}');
    expect((await refusal(folder, CLIP)).message).toContain('tokenizer.json');
    await rm(join(folder, 'tokenizer_config.json'));
    expect((await refusal(folder, CLIP)).message).toContain('tokenizer_config.json is missing');
    // The library caches which files were missing. A model that is completed later must load nevertheless.
    writeTinyModel(join(root, 'broken'), 'clip');
    expectSame(await encode(folder, CLIP, TEXTS), await towerOfLibrary(folder, CLIP, TEXTS));
    await writeFile(join(folder, 'onnx/text_model.onnx'), 'not a graph');
    expect((await refusal(folder, CLIP)).message).toContain('text_model.onnx is missing, damaged');
    await rm(join(folder, 'onnx/text_model.onnx'));
    expect((await refusal(folder, CLIP)).message).toContain('text_model.onnx is missing, damaged');
  });

  it('reports how it differs from its definition', async () => {
    const folder = at('sentence-encoder');
    expect((await refusal(folder, { ...SENTENCES, pooling: 'none' })).message).toContain('pooling "none"');
    expect((await refusal(folder, { ...SENTENCES, output: 'other' })).message).toContain('other');
    expect((await refusal(folder, { ...SENTENCES, dim: 384 })).message).toContain('384');
    const images = { ...SENTENCES, model_file: 'onnx/vision_model.onnx' };
    expect((await refusal(at('clip'), images)).message).toContain('pixel_values');
  });
});

const models = findModels();
describe('a trained text encoder', needs(models), () => {
  const shared = 'root' in models ? models.root : '';
  const texts = ['a photo of a dog', 'Tabby Cat and a laptop', 'hot dog stand, pizza & red car', 'xqzzt blorp'];

  it('gives the vectors of transformers.js for the substitute of CLIP', async () => {
    const folder = join(shared, 'standin-clip');
    const found = await encode(folder, CLIP, texts);
    expectSame(found, await towerOfLibrary(folder, CLIP, texts));
    expect(found[3]?.every((value) => value === 0)).toBe(true);
  });

  it('gives the vectors of transformers.js for the substitute of a sentence encoder', async () => {
    const folder = join(shared, 'standin-text');
    const tower = { ...SENTENCES, output: 'last_hidden_state', dim: 100 };
    const found = await encode(folder, tower, texts);
    expectSame(found.slice(0, 3), await sentencesOfLibrary(folder, texts.slice(0, 3), 'mean'));
    expect(found[3]?.every((value) => value === 0)).toBe(true);
  });
});

/** A graph that returns the same four values for every text. */
function constantTower(value: number): Uint8Array {
  const graph = new GraphBuilder(1);
  const one = first(graph, graph.op('Cast', ['input_ids'], { to: { int: 1 } }), 0);
  const factor = Number.isNaN(value) ? graph.op('Div', [graph.scalar(0), graph.scalar(0)]) : graph.scalar(value);
  graph.output(
    'out',
    graph.op('Concat', new Array<string>(4).fill(graph.op('Mul', [one, factor])), { axis: { int: 1 } }),
  );
  return graph.model('constant', [int64('input_ids', ['batch', 'tokens'])], [float('out', ['batch', 4])]);
}

/** Returns column `at` of [batch, tokens] as [batch, 1]. */
const first = (graph: GraphBuilder, x: string, at: number): string =>
  graph.op('Gather', [x, graph.ints([at])], { axis: { int: 1 } });
