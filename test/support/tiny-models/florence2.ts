import { DECODER_LAYERS, mergedDecoder } from './decoder.ts';
import { float, GraphBuilder, int64 } from './graph-builder.ts';
import {
  block,
  blockWeights,
  DIM,
  HEADS,
  linear,
  linearWeights,
  norm,
  normWeights,
  paddingMask,
  patches,
  SIDE_PX,
  type Speech,
} from './layers.ts';
import { IMAGENET_MEAN, IMAGENET_STD, type ModelFolder, squareImages } from './model-folder.ts';
import { florence2Tokenizer } from './tokenizers.ts';

/** A captioner in the layout of Florence-2: four graphs, task prompts, forced first and last tokens, and no repeated n-grams. */
export function tinyFlorence2(seed: number): ModelFolder {
  const tokenizer = florence2Tokenizer();
  const { vocab_size } = tokenizer;
  const ends = { bos_token_id: 0, pad_token_id: 1, eos_token_id: 2, decoder_start_token_id: 2 };
  const generation = { ...ends, forced_bos_token_id: 0, forced_eos_token_id: 2, no_repeat_ngram_size: 3, num_beams: 3 };
  return {
    ...tokenizer.files,
    'config.json': {
      model_type: 'florence2',
      architectures: ['Florence2ForConditionalGeneration'],
      is_encoder_decoder: true,
      projection_dim: DIM,
      vocab_size,
      ...ends,
      text_config: {
        model_type: 'florence2_language',
        is_encoder_decoder: true,
        d_model: DIM,
        encoder_layers: 1,
        decoder_layers: DECODER_LAYERS,
        encoder_attention_heads: HEADS,
        decoder_attention_heads: HEADS,
        vocab_size,
        ...generation,
      },
      vision_config: { model_type: 'davit' },
    },
    'generation_config.json': generation,
    'preprocessor_config.json': {
      processor_class: 'Florence2Processor',
      image_processor_type: 'CLIPImageProcessor',
      ...squareImages(SIDE_PX, IMAGENET_MEAN, IMAGENET_STD),
      do_center_crop: false,
      crop_size: { height: SIDE_PX, width: SIDE_PX },
      tasks_answer_post_processing_type: { '<CAPTION>': 'pure_text', '<OD>': 'description_with_bboxes' },
      task_prompts_without_inputs: {
        '<CAPTION>': 'what does the image describe?',
        '<OD>': 'the car and the person in the image',
      },
      task_prompts_with_input: {},
    },
    'onnx/vision_encoder.onnx': vision(seed),
    'onnx/embed_tokens.onnx': embedTokens(seed + 1, vocab_size),
    'onnx/encoder_model.onnx': encoder(seed + 2),
    'onnx/decoder_model_merged.onnx': decoder(seed + 3, { ...tokenizer, end: ends.eos_token_id }),
  };
}

function vision(seed: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const seen = block(graph, patches(graph, 'pixel_values'), blockWeights(graph));
  graph.output('image_features', linear(graph, norm(graph, seen, normWeights(graph)), linearWeights(graph, DIM, DIM)));
  return graph.model(
    'vision',
    [float('pixel_values', ['batch_size', 3, SIDE_PX, SIDE_PX])],
    [float('image_features', ['batch_size', 'image_tokens', DIM])],
  );
}

/** Embedding table that the prompt and the generated text share. */
export function embedTokens(seed: number, vocabSize: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  graph.output('inputs_embeds', graph.op('Gather', [graph.weight([vocabSize, DIM], 1), 'input_ids']));
  return graph.model(
    'words',
    [int64('input_ids', ['batch_size', 'sequence_length'])],
    [float('inputs_embeds', ['batch_size', 'sequence_length', DIM])],
  );
}

function encoder(seed: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const mask = paddingMask(graph, 'attention_mask');
  const seen = block(graph, 'inputs_embeds', blockWeights(graph), { mask });
  graph.output('last_hidden_state', norm(graph, seen, normWeights(graph)));
  return graph.model(
    'encoder',
    [
      int64('attention_mask', ['batch_size', 'encoder_sequence_length']),
      float('inputs_embeds', ['batch_size', 'encoder_sequence_length', DIM]),
    ],
    [float('last_hidden_state', ['batch_size', 'encoder_sequence_length', DIM])],
  );
}

function decoder(seed: number, speech: Speech): Uint8Array {
  const graph = new GraphBuilder(seed);
  const { inputs, outputs } = mergedDecoder(graph, 'inputs_embeds', graph.weight([128, DIM], 1), speech, {
    keeps_encoder: true,
    has_encoder_mask: true,
  });
  return graph.model('decoder', [float('inputs_embeds', ['batch_size', 'sequence_length', DIM]), ...inputs], outputs);
}
