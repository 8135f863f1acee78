import { bool, float, type GraphBuilder, int64 } from './graph-builder.ts';
import {
  type Attention,
  addPositions,
  attend,
  attentionWeights,
  type Block,
  blockWeights,
  causalMask,
  DIM,
  feedForward,
  HEAD_DIM,
  HEADS,
  headWeights,
  type KeyValue,
  keysAndValues,
  type Linear,
  length,
  linear,
  type Norm,
  norm,
  normWeights,
  paddingMask,
  type Speech,
} from './layers.ts';

export const DECODER_LAYERS = 2;

const layers = Array.from({ length: DECODER_LAYERS }, (_, layer) => layer);
const cacheShape = (tokens: string) => ['batch_size', HEADS, tokens, HEAD_DIM];

interface Decoder {
  blocks: Block[];
  reading: { before: Norm; attention: Attention }[];
  last: Norm;
  head: Linear;
}

const decoderWeights = (graph: GraphBuilder, speech: Speech): Decoder => ({
  blocks: layers.map(() => blockWeights(graph)),
  reading: layers.map(() => ({ before: normWeights(graph), attention: attentionWeights(graph) })),
  last: normWeights(graph),
  head: headWeights(graph, speech),
});

interface Described {
  /** Whether the cache holds the keys and values of the image, as in BART, or each step recomputes them, as in GPT-2. */
  keeps_encoder: boolean;
  has_encoder_mask: boolean;
}

/**
 * Builds a merged text decoder with cross-attention to an encoder's states, as optimum exports it: one graph whose input `use_cache_branch`
 * chooses between a fresh start and a continuation from `past_key_values`. `embedded` makes tokens [batch, tokens, DIM] in the outer graph.
 */
export function mergedDecoder(
  graph: GraphBuilder,
  embedded: string,
  positions: string,
  speech: Speech,
  { keeps_encoder, has_encoder_mask }: Described,
) {
  const weights = decoderWeights(graph, speech);
  const own = keeps_encoder ? '.decoder' : '';
  const pairsOf = (prefix: string, kind: string, tokens: string) =>
    ['key', 'value'].map((part) => float(`${prefix}${kind}.${part}`, cacheShape(tokens)));
  const caches = (prefix: string, tokens: string) =>
    layers.flatMap((layer) => [
      ...pairsOf(`${prefix}.${layer}`, own, tokens),
      ...(keeps_encoder ? pairsOf(`${prefix}.${layer}`, '.encoder', `encoder_${tokens}`) : []),
    ]);
  const presents = caches('present', 'total_sequence_length');
  const logits = float('logits', ['batch_size', 'sequence_length', speech.vocab_size]);

  const build = (cached: boolean) => (branch: GraphBuilder) => {
    const cacheOf = (layer: number, kind: string): KeyValue => ({
      key: `past_key_values.${layer}${kind}.key`,
      value: `past_key_values.${layer}${kind}.value`,
    });
    const first = cached ? length(branch, cacheOf(0, own).key, 2) : branch.int(0);
    let x = addPositions(branch, embedded, positions, first);
    const kept: string[] = [];
    for (const layer of layers) {
      const [step, reading] = [weights.blocks[layer], weights.reading[layer]];
      if (step === undefined || reading === undefined) throw new RangeError('no such layer');
      const normed = norm(branch, x, step.before);
      const seen = keysAndValues(branch, normed, step.attention, cached ? cacheOf(layer, own) : undefined);
      const masks = [causalMask(branch, normed, seen)];
      x = branch.op('Add', [x, attend(branch, normed, seen, step.attention, masks)]);
      kept.push(seen.key, seen.value);

      const known = cached && keeps_encoder;
      const states = known
        ? cacheOf(layer, '.encoder')
        : keysAndValues(branch, 'encoder_hidden_states', reading.attention);
      const encoderMasks = has_encoder_mask ? [paddingMask(branch, 'encoder_attention_mask')] : [];
      const requested = norm(branch, x, reading.before);
      x = branch.op('Add', [x, attend(branch, requested, states, reading.attention, encoderMasks)]);
      // Exported decoders return empty tensors for cache entries that the caller already has.
      const nothing = () => branch.floats([0, HEADS, 1, HEAD_DIM], []);
      if (keeps_encoder) kept.push(known ? nothing() : states.key, known ? nothing() : states.value);
      x = feedForward(branch, x, step);
    }
    return [linear(branch, norm(branch, x, weights.last), weights.head), ...kept];
  };
  graph.either('use_cache_branch', [logits, ...presents], build(true), build(false));

  const inputs = [
    float('encoder_hidden_states', ['batch_size', 'encoder_sequence_length', DIM]),
    ...(has_encoder_mask ? [int64('encoder_attention_mask', ['batch_size', 'encoder_sequence_length'])] : []),
    ...caches('past_key_values', 'past_sequence_length'),
    bool('use_cache_branch', [1]),
  ];
  return { inputs, outputs: [logits, ...presents] };
}
