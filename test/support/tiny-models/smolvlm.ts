import { embedTokens } from './florence2.ts';
import { bool, float, GraphBuilder, int64 } from './graph-builder.ts';
import {
  attend,
  block,
  blockWeights,
  causalMask,
  DIM,
  feedForward,
  HEAD_DIM,
  HEADS,
  headWeights,
  keysAndValues,
  linear,
  linearWeights,
  norm,
  normWeights,
  PATCHES,
  paddingMask,
  patches,
  SIDE_PX,
  type Speech,
} from './layers.ts';
import { HALVES, type ModelFolder, squareImages } from './model-folder.ts';
import { smolVlmTokenizer } from './tokenizers.ts';

const LAYERS = 2;
/** Number of key and value heads, fewer than query heads (grouped-query attention), as in SmolLM2. */
const KEY_HEADS = 1;
/** Tokens per image. Four patches are merged into one token. */
const IMAGE_TOKENS = PATCHES / 4;

/** A captioner in the layout of SmolVLM (Idefics3): the image's tokens are inserted among the tokens of a chat. */
export function tinySmolVlm(seed: number): ModelFolder {
  const tokenizer = smolVlmTokenizer();
  const { vocab_size, idOf } = tokenizer;
  const ends = {
    bos_token_id: idOf('<|im_start|>'),
    eos_token_id: idOf('<end_of_utterance>'),
    pad_token_id: idOf('<|im_end|>'),
  };
  return {
    ...tokenizer.files,
    'config.json': {
      model_type: 'idefics3',
      architectures: ['Idefics3ForConditionalGeneration'],
      image_token_id: idOf('<image>'),
      scale_factor: 2,
      vocab_size,
      text_config: {
        model_type: 'llama',
        hidden_size: DIM,
        head_dim: HEAD_DIM,
        num_attention_heads: HEADS,
        num_key_value_heads: KEY_HEADS,
        num_hidden_layers: LAYERS,
        vocab_size,
      },
      vision_config: { model_type: 'idefics3_vision', image_size: SIDE_PX, patch_size: 8, hidden_size: DIM },
    },
    'generation_config.json': ends,
    'preprocessor_config.json': {
      processor_class: 'Idefics3Processor',
      image_processor_type: 'Idefics3ImageProcessor',
      ...squareImages(SIDE_PX, HALVES, HALVES),
      size: { longest_edge: SIDE_PX * 4 },
      max_image_size: { longest_edge: SIDE_PX },
      do_image_splitting: true,
      do_pad: true,
      resample: 1,
    },
    'processor_config.json': { processor_class: 'Idefics3Processor', image_seq_len: IMAGE_TOKENS },
    'onnx/vision_encoder.onnx': vision(seed),
    'onnx/embed_tokens.onnx': embedTokens(seed + 1, vocab_size),
    'onnx/decoder_model_merged.onnx': decoder(seed + 2, { ...tokenizer, end: ends.eos_token_id }),
  };
}

function vision(seed: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  // Masked pixels count as grey.
  const given = graph.op('Unsqueeze', [
    graph.op('Cast', ['pixel_attention_mask'], { to: { int: 1 } }),
    graph.ints([2]),
  ]);
  const known = graph.op('Mul', ['pixel_values', given]);
  const images = graph.op('Reshape', [known, graph.ints([-1, 3, SIDE_PX, SIDE_PX])]);
  const seen = norm(graph, block(graph, patches(graph, images), blockWeights(graph)), normWeights(graph));
  const folded = graph.op('Reshape', [seen, graph.ints([0, IMAGE_TOKENS, 4 * DIM])]);
  graph.output('image_features', linear(graph, folded, linearWeights(graph, 4 * DIM, DIM)));
  return graph.model(
    'vision',
    [
      float('pixel_values', ['batch_size', 'num_images', 3, SIDE_PX, SIDE_PX]),
      bool('pixel_attention_mask', ['batch_size', 'num_images', SIDE_PX, SIDE_PX]),
    ],
    [float('image_features', ['image_count', IMAGE_TOKENS, DIM])],
  );
}

/** A decoder without `use_cache_branch`: an empty cache is treated like any other cache. */
function decoder(seed: number, speech: Speech): Uint8Array {
  const graph = new GraphBuilder(seed);
  const places = graph.op('Gather', [graph.weight([512, DIM], 0.5), 'position_ids']);
  let x = graph.op('Add', ['inputs_embeds', places]);
  const caches = (prefix: string, tokens: string) =>
    Array.from({ length: LAYERS }, (_, layer) =>
      ['key', 'value'].map((part) => float(`${prefix}.${layer}.${part}`, ['batch_size', KEY_HEADS, tokens, HEAD_DIM])),
    ).flat();
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const weights = blockWeights(graph, KEY_HEADS);
    const normed = norm(graph, x, weights.before);
    const past = { key: `past_key_values.${layer}.key`, value: `past_key_values.${layer}.value` };
    const seen = keysAndValues(graph, normed, weights.attention, past);
    const masks = [paddingMask(graph, 'attention_mask'), causalMask(graph, normed, seen)];
    x = graph.op('Add', [x, attend(graph, normed, seen, weights.attention, masks)]);
    x = feedForward(graph, x, weights);
    graph.output(`present.${layer}.key`, seen.key);
    graph.output(`present.${layer}.value`, seen.value);
  }
  graph.output('logits', linear(graph, norm(graph, x, normWeights(graph)), headWeights(graph, speech)));
  return graph.model(
    'decoder',
    [
      float('inputs_embeds', ['batch_size', 'sequence_length', DIM]),
      int64('attention_mask', ['batch_size', 'total_sequence_length']),
      int64('position_ids', ['batch_size', 'sequence_length']),
      ...caches('past_key_values', 'past_sequence_length'),
    ],
    [
      float('logits', ['batch_size', 'sequence_length', speech.vocab_size]),
      ...caches('present', 'total_sequence_length'),
    ],
  );
}
