import type { GraphBuilder } from './graph-builder.ts';

/** Width of all tiny models, and number and width of their attention heads. */
export const DIM = 32;
export const HEADS = 2;
export const HEAD_DIM = DIM / HEADS;
/** Side in pixels of the input images, and of the patches that they are divided into. */
export const SIDE_PX = 32;
const PATCH_PX = 8;
export const PATCHES = (SIDE_PX / PATCH_PX) ** 2;

const FAR = -1e9;

/** `x · W + b` over the last axis. */
export interface Linear {
  weight: string;
  bias: string;
}

export function linearWeights(graph: GraphBuilder, from: number, to: number, gain = 1): Linear {
  return { weight: graph.weight([from, to], gain / Math.sqrt(from)), bias: graph.weight([to], 0.1) };
}

/** Tokens that a decoder may generate: whole words and the end token. */
export interface Speech {
  vocab_size: number;
  words: readonly number[];
  end: number;
}

/** Weights of a language head that generates only words and stops after a short text. */
export function headWeights(graph: GraphBuilder, { vocab_size, words, end }: Speech): Linear {
  const liking = new Array<number>(vocab_size).fill(-100);
  for (const word of words) liking[word] = 0;
  liking[end] = 5;
  return { weight: graph.weight([DIM, vocab_size], 3 / Math.sqrt(DIM)), bias: graph.floats([vocab_size], liking) };
}

export const linear = (graph: GraphBuilder, x: string, { weight, bias }: Linear): string =>
  graph.op('Add', [graph.op('MatMul', [x, weight]), bias]);

export interface Norm {
  scale: string;
  bias: string;
}

export const normWeights = (graph: GraphBuilder): Norm => ({
  scale: graph.floats([DIM], new Array<number>(DIM).fill(1)),
  bias: graph.weight([DIM], 0.1),
});

export const norm = (graph: GraphBuilder, x: string, { scale, bias }: Norm): string =>
  graph.op('LayerNormalization', [x, scale, bias], { axis: { int: -1 } });

/** Length of one axis as a scalar tensor. */
export function length(graph: GraphBuilder, x: string, axis: number): string {
  return graph.op('Gather', [graph.op('Shape', [x]), graph.int(axis)]);
}

export const range = (graph: GraphBuilder, from: string, to: string): string =>
  graph.op('Range', [from, to, graph.int(1)]);

/** Adds learned positions `first` … to tokens [batch, tokens, DIM]. */
export function addPositions(graph: GraphBuilder, x: string, table: string, first: string): string {
  const end = graph.op('Add', [first, length(graph, x, 1)]);
  return graph.op('Add', [x, graph.op('Gather', [table, range(graph, first, end)])]);
}

export interface Attention {
  query: Linear;
  key: Linear;
  value: Linear;
  out: Linear;
  heads: number;
  key_heads: number;
}

export function attentionWeights(graph: GraphBuilder, keyHeads = HEADS): Attention {
  const kept = keyHeads * HEAD_DIM;
  return {
    query: linearWeights(graph, DIM, DIM, 2),
    key: linearWeights(graph, DIM, kept, 2),
    value: linearWeights(graph, DIM, kept),
    out: linearWeights(graph, DIM, DIM, 2),
    heads: HEADS,
    key_heads: keyHeads,
  };
}

/** [batch, tokens, heads · HEAD_DIM] → [batch, heads, tokens, HEAD_DIM]. */
function splitHeads(graph: GraphBuilder, x: string, heads: number): string {
  const split = graph.op('Reshape', [x, graph.ints([0, 0, heads, HEAD_DIM])]);
  return graph.op('Transpose', [split], { perm: { ints: [0, 2, 1, 3] } });
}

export interface KeyValue {
  key: string;
  value: string;
}

/** Keys and values of tokens, appended to those of a cache if there is one. */
export function keysAndValues(graph: GraphBuilder, x: string, weights: Attention, past?: KeyValue): KeyValue {
  const key = splitHeads(graph, linear(graph, x, weights.key), weights.key_heads);
  const value = splitHeads(graph, linear(graph, x, weights.value), weights.key_heads);
  if (past === undefined) return { key, value };
  const behind = (before: string, now: string) => graph.op('Concat', [before, now], { axis: { int: 2 } });
  return { key: behind(past.key, key), value: behind(past.value, value) };
}

/** Scaled dot-product attention (arXiv 1706.03762); `masks` are added to the scores. */
export function attend(
  graph: GraphBuilder,
  x: string,
  { key, value }: KeyValue,
  weights: Attention,
  masks: readonly string[] = [],
): string {
  const query = splitHeads(graph, linear(graph, x, weights.query), weights.heads);
  const turned = graph.op('Transpose', [key], { perm: { ints: [0, 1, 3, 2] } });
  const products = graph.op('MatMul', [query, turned]);
  const scaled = graph.op('Mul', [products, graph.scalar(1 / Math.sqrt(HEAD_DIM))]);
  const masked = masks.reduce((scores, mask) => graph.op('Add', [scores, mask]), scaled);
  const mixed = graph.op('MatMul', [graph.op('Softmax', [masked], { axis: { int: -1 } }), value]);
  const rows = graph.op('Transpose', [mixed], { perm: { ints: [0, 2, 1, 3] } });
  return linear(graph, graph.op('Reshape', [rows, graph.ints([0, 0, DIM])]), weights.out);
}

/** Converts an attention mask [batch, tokens] of 0 and 1 to a tensor that is added to scores [batch, heads, queries, tokens]. */
export function paddingMask(graph: GraphBuilder, attentionMask: string): string {
  const ones = graph.op('Cast', [attentionMask], { to: { int: 1 } });
  const far = graph.op('Mul', [graph.op('Sub', [graph.scalar(1), ones]), graph.scalar(FAR)]);
  return graph.op('Unsqueeze', [far, graph.ints([1, 2])]);
}

/** Masks the tokens that follow each of the last tokens `x` among all tokens of `key`. */
export function causalMask(graph: GraphBuilder, x: string, { key }: KeyValue): string {
  const total = length(graph, key, 2);
  const first = graph.op('Sub', [total, length(graph, x, 1)]);
  const columns = graph.op('Unsqueeze', [range(graph, graph.int(0), total), graph.ints([0])]);
  const rows = graph.op('Unsqueeze', [range(graph, first, total), graph.ints([1])]);
  const later = graph.op('Cast', [graph.op('Greater', [columns, rows])], { to: { int: 1 } });
  return graph.op('Mul', [later, graph.scalar(FAR)]);
}

export interface Block {
  before: Norm;
  attention: Attention;
  between: Norm;
  up: Linear;
  down: Linear;
}

export const blockWeights = (graph: GraphBuilder, keyHeads = HEADS): Block => ({
  before: normWeights(graph),
  attention: attentionWeights(graph, keyHeads),
  between: normWeights(graph),
  up: linearWeights(graph, DIM, DIM * 2, 2),
  down: linearWeights(graph, DIM * 2, DIM, 2),
});

/** The second half of a block: two linear layers applied to each token. */
export function feedForward(graph: GraphBuilder, x: string, { between, up, down }: Block): string {
  const inner = graph.op('Relu', [linear(graph, norm(graph, x, between), up)]);
  return graph.op('Add', [x, linear(graph, inner, down)]);
}

/** A transformer block in which each token attends to all tokens, or with `causal` only to itself and earlier tokens. */
export function block(
  graph: GraphBuilder,
  x: string,
  weights: Block,
  { mask, causal = false }: { mask?: string; causal?: boolean } = {},
): string {
  const normed = norm(graph, x, weights.before);
  const seen = keysAndValues(graph, normed, weights.attention);
  const masks = [...(mask === undefined ? [] : [mask]), ...(causal ? [causalMask(graph, normed, seen)] : [])];
  const attended = attend(graph, normed, seen, weights.attention, masks);
  return feedForward(graph, graph.op('Add', [x, attended]), weights);
}

/** Converts images [batch, 3, SIDE_PX, SIDE_PX] to tokens [batch, PATCHES, DIM] with position embeddings. */
export function patches(graph: GraphBuilder, pixels: string): string {
  const kernel = graph.weight([DIM, 3, PATCH_PX, PATCH_PX], 3 / (PATCH_PX * Math.sqrt(3)));
  const sides = { kernel_shape: { ints: [PATCH_PX, PATCH_PX] }, strides: { ints: [PATCH_PX, PATCH_PX] } };
  const maps = graph.op('Conv', [pixels, kernel], sides);
  const flat = graph.op('Reshape', [maps, graph.ints([0, DIM, -1])]);
  const tokens = graph.op('Transpose', [flat], { perm: { ints: [0, 2, 1] } });
  return graph.op('Add', [tokens, graph.weight([PATCHES, DIM], 0.5)]);
}

export const meanOverTokens = (graph: GraphBuilder, x: string): string =>
  graph.op('ReduceMean', [x], { axes: { ints: [1] }, keepdims: { int: 0 } });
