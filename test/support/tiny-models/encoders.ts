import { float, GraphBuilder, int64 } from './graph-builder.ts';
import {
  addPositions,
  block,
  blockWeights,
  DIM,
  length,
  linear,
  linearWeights,
  meanOverTokens,
  norm,
  normWeights,
  paddingMask,
  patches,
  SIDE_PX,
} from './layers.ts';
import { HALVES, type ModelFolder, squareImages } from './model-folder.ts';
import { bertTokenizer, clipTokenizer, siglipTokenizer } from './tokenizers.ts';

/** Length of the image and text vectors. */
export const JOINT_DIM = 24;
const PIXELS = float('pixel_values', ['batch_size', 3, SIDE_PX, SIDE_PX]);
const IDS = int64('input_ids', ['batch_size', 'sequence_length']);
const MASK = int64('attention_mask', ['batch_size', 'sequence_length']);

/** An image and text encoder in CLIP's layout: the image vector comes from a class token, the text vector from the closing token. */
export function tinyClip(seed: number): ModelFolder {
  const tokenizer = clipTokenizer();
  return {
    ...tokenizer.files,
    'config.json': {
      model_type: 'clip',
      architectures: ['CLIPModel'],
      projection_dim: JOINT_DIM,
      logit_scale_init_value: 2.6592,
      text_config: {
        model_type: 'clip_text_model',
        hidden_size: DIM,
        max_position_embeddings: 77,
        vocab_size: tokenizer.vocab_size,
        eos_token_id: tokenizer.idOf('<|endoftext|>'),
      },
      vision_config: { model_type: 'clip_vision_model', hidden_size: DIM, image_size: SIDE_PX, patch_size: 8 },
    },
    'preprocessor_config.json': {
      image_processor_type: 'CLIPImageProcessor',
      feature_extractor_type: 'CLIPFeatureExtractor',
      ...squareImages(SIDE_PX, [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]),
      size: { shortest_edge: SIDE_PX },
      do_center_crop: true,
      crop_size: { height: SIDE_PX, width: SIDE_PX },
    },
    'onnx/vision_model.onnx': clipVision(seed),
    'onnx/text_model.onnx': clipText(seed + 1, tokenizer.vocab_size),
  };
}

function clipVision(seed: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const { all, embeds } = addClipVision(graph);
  graph.output('last_hidden_state', all);
  graph.output('image_embeds', embeds);
  return graph.model(
    'vision',
    [PIXELS],
    [float('image_embeds', ['batch_size', JOINT_DIM]), float('last_hidden_state', ['batch_size', 'tokens', DIM])],
  );
}

/** Adds an image encoder that reads `pixel_values`. */
export function addClipVision(graph: GraphBuilder): { all: string; embeds: string } {
  const tokens = patches(graph, 'pixel_values');
  const shape = graph.op(
    'Concat',
    [graph.op('Unsqueeze', [length(graph, tokens, 0), graph.ints([0])]), graph.ints([1, DIM])],
    {
      axis: { int: 0 },
    },
  );
  const reader = graph.op('Expand', [graph.weight([1, 1, DIM], 1), shape]);
  const all = block(graph, graph.op('Concat', [reader, tokens], { axis: { int: 1 } }), blockWeights(graph));
  const read = norm(graph, graph.op('Gather', [all, graph.int(0)], { axis: { int: 1 } }), normWeights(graph));
  return { all, embeds: linear(graph, read, linearWeights(graph, DIM, JOINT_DIM)) };
}

function clipText(seed: number, vocabSize: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const { all, embeds } = addClipText(graph, vocabSize);
  graph.output('last_hidden_state', all);
  graph.output('text_embeds', embeds);
  return graph.model(
    'text',
    [IDS, MASK],
    [
      float('text_embeds', ['batch_size', JOINT_DIM]),
      float('last_hidden_state', ['batch_size', 'sequence_length', DIM]),
    ],
  );
}

/** Adds a text encoder that reads `input_ids` and `attention_mask`. */
export function addClipText(graph: GraphBuilder, vocabSize: number): { all: string; embeds: string } {
  const words = graph.op('Gather', [graph.weight([vocabSize, DIM], 1), 'input_ids']);
  const placed = addPositions(graph, words, graph.weight([77, DIM], 0.5), graph.int(0));
  const mask = paddingMask(graph, 'attention_mask');
  const all = norm(graph, block(graph, placed, blockWeights(graph), { mask, causal: true }), normWeights(graph));
  // The closing token has the highest id. ArgMax takes its first occurrence, because texts are padded with the same token.
  const closing = graph.op('ArgMax', ['input_ids'], { axis: { int: 1 }, keepdims: { int: 1 } });
  const read = graph.op('GatherND', [all, closing], { batch_dims: { int: 1 } });
  return { all, embeds: linear(graph, read, linearWeights(graph, DIM, JOINT_DIM)) };
}

/**
 * An image and text encoder in SigLIP 2's layout: no attention mask, `pooler_output`, and texts of exactly 64 tokens whose last token is
 * the text vector.
 */
export function tinySiglip2(seed: number): ModelFolder {
  const tokenizer = siglipTokenizer();
  return {
    ...tokenizer.files,
    'config.json': {
      model_type: 'siglip',
      architectures: ['SiglipModel'],
      text_config: {
        model_type: 'siglip_text_model',
        hidden_size: DIM,
        max_position_embeddings: 64,
        vocab_size: tokenizer.vocab_size,
      },
      vision_config: { model_type: 'siglip_vision_model', hidden_size: DIM, image_size: SIDE_PX, patch_size: 8 },
    },
    'preprocessor_config.json': {
      image_processor_type: 'SiglipImageProcessor',
      ...squareImages(SIDE_PX, HALVES, HALVES),
      resample: 2,
    },
    'onnx/vision_model.onnx': siglipVision(seed),
    'onnx/text_model.onnx': siglipText(seed + 1, tokenizer.vocab_size),
  };
}

function siglipVision(seed: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const all = norm(graph, block(graph, patches(graph, 'pixel_values'), blockWeights(graph)), normWeights(graph));
  graph.output('last_hidden_state', all);
  graph.output('pooler_output', linear(graph, meanOverTokens(graph, all), linearWeights(graph, DIM, JOINT_DIM)));
  return graph.model(
    'vision',
    [PIXELS],
    [float('last_hidden_state', ['batch_size', 'tokens', DIM]), float('pooler_output', ['batch_size', JOINT_DIM])],
  );
}

function siglipText(seed: number, vocabSize: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const words = graph.op('Gather', [graph.weight([vocabSize, DIM], 1), 'input_ids']);
  const placed = addPositions(graph, words, graph.weight([64, DIM], 0.5), graph.int(0));
  const all = norm(graph, block(graph, placed, blockWeights(graph)), normWeights(graph));
  const last = graph.op('Gather', [all, graph.int(-1)], { axis: { int: 1 } });
  graph.output('last_hidden_state', all);
  graph.output('pooler_output', linear(graph, last, linearWeights(graph, DIM, JOINT_DIM)));
  return graph.model(
    'text',
    [IDS],
    [
      float('last_hidden_state', ['batch_size', 'sequence_length', DIM]),
      float('pooler_output', ['batch_size', JOINT_DIM]),
    ],
  );
}

/** A sentence encoder in BERT's layout: returns one vector per token, and the caller pools them. */
export function tinySentenceEncoder(seed: number): ModelFolder {
  const tokenizer = bertTokenizer();
  const graph = new GraphBuilder(seed);
  const words = graph.op('Gather', [graph.weight([tokenizer.vocab_size, DIM], 1), 'input_ids']);
  const parts = graph.op('Gather', [graph.weight([2, DIM], 0.5), 'token_type_ids']);
  const typed = graph.op('Add', [words, parts]);
  const placed = norm(
    graph,
    addPositions(graph, typed, graph.weight([512, DIM], 0.5), graph.int(0)),
    normWeights(graph),
  );
  const mask = paddingMask(graph, 'attention_mask');
  graph.output(
    'last_hidden_state',
    norm(graph, block(graph, placed, blockWeights(graph), { mask }), normWeights(graph)),
  );
  const TYPES = int64('token_type_ids', ['batch_size', 'sequence_length']);
  return {
    ...tokenizer.files,
    'config.json': {
      model_type: 'bert',
      architectures: ['BertModel'],
      hidden_size: DIM,
      num_hidden_layers: 1,
      num_attention_heads: 2,
      max_position_embeddings: 512,
      vocab_size: tokenizer.vocab_size,
    },
    'onnx/model.onnx': graph.model(
      'sentences',
      [IDS, MASK, TYPES],
      [float('last_hidden_state', ['batch_size', 'sequence_length', DIM])],
    ),
  };
}
