import { join, resolve } from 'node:path';
import type { PreTrainedTokenizer } from '@huggingface/transformers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { TextTower } from '../../contract/schemas/model-definition.ts';
import { LOCAL_FILES, localTransformers } from './local-transformers.ts';
import { loadPart, requireModelJson } from './model-parts.ts';
import { type SessionSettings, sessionOptions } from './session-settings.ts';
import { batchTokens, type TokenBatch, tokenIdsOf } from './token-batch.ts';
import { unitVector } from './unit-vector.ts';

export interface TextEncoder {
  /** Vectors of texts in order, L2-normalised, each in its own buffer; zeros for a text without direction. */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  release(): Promise<void>;
}

/** Maximum number of texts per batch. Limits memory, because attention grows with texts × tokens². */
const BATCH_TEXTS = 32;

/** `dim`: expected length of the vectors, where known. */
type Tower = TextTower & { dim?: number };

/**
 * Opens the text encoder of a model, or a sentence encoder.
 *
 * @param folder Holds `tokenizer.json`, `tokenizer_config.json` and the tower's graph.
 * @throws AppError `unavailable` when a file is missing or cannot be used.
 */
export async function openTextEncoder(folder: string, tower: Tower, session: SessionSettings): Promise<TextEncoder> {
  const at = resolve(folder);
  await requireModelJson(at, ['tokenizer.json', 'tokenizer_config.json']);
  const { AutoTokenizer } = await localTransformers();
  const tokenizer = await loadPart('tokenizer.json', () => AutoTokenizer.from_pretrained(at, LOCAL_FILES));
  const graph = await loadPart(tower.model_file, () =>
    InferenceSession.create(join(at, tower.model_file), sessionOptions(session)),
  );
  try {
    checkInputs(graph);
  } catch (error) {
    await graph.release();
    throw error;
  }
  return {
    encode: (texts) => encode(texts, tower, tokenizer, graph),
    release: () => graph.release(),
  };
}

async function encode(
  texts: readonly string[],
  tower: Tower,
  tokenizer: PreTrainedTokenizer,
  graph: InferenceSession,
): Promise<Float32Array[]> {
  const size = batchSize(graph);
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += size) {
    const rows = texts.slice(from, from + size).map((text) => tokenIdsOf(tokenizer, text, tower.max_tokens));
    const tokens = batchTokens(rows, tower.padding === 'max_length' ? tower.max_tokens : 1, tokenizer);
    vectors.push(...(await run(tokens, tower, graph)));
  }
  return vectors;
}

const KNOWN_INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];

function checkInputs(graph: InferenceSession): void {
  const unknown = graph.inputNames.find((name) => !KNOWN_INPUTS.includes(name));
  if (unknown === undefined) return;
  throw new AppError('unavailable', message('text_model_input_unknown', { name: unknown }));
}

/** Graphs that were exported for one text at a time have 1 as their first dimension. */
function batchSize(graph: InferenceSession): number {
  const [first] = graph.inputMetadata;
  return first?.isTensor === true && first.shape[0] === 1 ? 1 : BATCH_TEXTS;
}

async function run(tokens: TokenBatch, tower: Tower, graph: InferenceSession): Promise<Float32Array[]> {
  const { rows, length, input_ids, attention_mask } = tokens;
  const values: Record<string, readonly number[]> = { input_ids, attention_mask };
  const feeds: Record<string, Tensor> = {};
  for (const { name, ...metadata } of graph.inputMetadata) {
    // A single segment: all token types are 0.
    const given = values[name] ?? new Array<number>(rows * length).fill(0);
    const narrow = metadata.isTensor && metadata.type === 'int32';
    feeds[name] = narrow
      ? new Tensor('int32', Int32Array.from(given), [rows, length])
      : new Tensor('int64', BigInt64Array.from(given, BigInt), [rows, length]);
  }
  const name = tower.output ?? graph.outputNames[0] ?? '';
  if (!graph.outputNames.includes(name)) {
    throw new AppError('unavailable', message('text_model_output_missing', { name }));
  }
  const output = (await graph.run(feeds, [name]))[name];
  if (output === undefined || !(output.data instanceof Float32Array)) {
    throw new AppError('unavailable', message('text_model_output_not_float', { name }));
  }
  const found = output.dims.at(-1) ?? 0;
  if (tower.dim !== undefined && found !== tower.dim) {
    throw new AppError('unavailable', message('text_model_of_other_dim', { found, expected: tower.dim }));
  }
  return poolRows(output.data, output.dims, tokens, tower.pooling).map(unitVector);
}

/** One vector per text from the output: the output itself, that of the first token, or the mean over tokens that are not padding. */
function poolRows(
  data: Float32Array,
  dims: readonly number[],
  tokens: TokenBatch,
  pooling: TextTower['pooling'],
): Float32Array[] {
  const { rows, length, attention_mask } = tokens;
  const rank = pooling === 'none' ? 2 : 3;
  if (dims.length !== rank || dims[0] !== rows || (rank === 3 && dims[1] !== length)) {
    throw new AppError('unavailable', message('text_model_pooling_unfit', { pooling }));
  }
  const dim = dims.at(-1) ?? 0;
  const vectorAt = (index: number) => data.subarray(index * dim, (index + 1) * dim);
  return Array.from({ length: rows }, (_, row) => {
    if (pooling === 'none') return vectorAt(row).slice();
    // With padding on the left, the first token follows the padding.
    const first = Math.max(0, attention_mask.indexOf(1, row * length) - row * length);
    if (pooling === 'cls') return vectorAt(row * length + first).slice();
    const sum = new Float32Array(dim);
    for (let token = row * length; token < (row + 1) * length; token += 1) {
      if (attention_mask[token] === 0) continue;
      const vector = vectorAt(token);
      for (let axis = 0; axis < dim; axis += 1) sum[axis] = (sum[axis] ?? 0) + (vector[axis] ?? 0);
    }
    // A sum suffices: the vector is normalised afterwards.
    return sum;
  });
}
