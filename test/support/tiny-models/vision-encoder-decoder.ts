import { DECODER_LAYERS, mergedDecoder } from './decoder.ts';
import { float, GraphBuilder, int64 } from './graph-builder.ts';
import { block, blockWeights, DIM, HEADS, norm, normWeights, patches, SIDE_PX, type Speech } from './layers.ts';
import { HALVES, type ModelFolder, squareImages } from './model-folder.ts';
import { gpt2Tokenizer } from './tokenizers.ts';

/** A captioner in the layout of ViT-GPT2. */
export function tinyVisionEncoderDecoder(seed: number): ModelFolder {
  const tokenizer = gpt2Tokenizer();
  const end = tokenizer.idOf('<|endoftext|>');
  const ends = { bos_token_id: end, eos_token_id: end, pad_token_id: end, decoder_start_token_id: end };
  const positions = 128;
  return {
    ...tokenizer.files,
    'config.json': {
      model_type: 'vision-encoder-decoder',
      architectures: ['VisionEncoderDecoderModel'],
      is_encoder_decoder: true,
      ...ends,
      encoder: { model_type: 'vit', hidden_size: DIM, image_size: SIDE_PX, patch_size: 8, num_hidden_layers: 1 },
      decoder: {
        model_type: 'gpt2',
        is_decoder: true,
        add_cross_attention: true,
        n_embd: DIM,
        n_head: HEADS,
        n_layer: DECODER_LAYERS,
        n_positions: positions,
        vocab_size: tokenizer.vocab_size,
        bos_token_id: end,
        eos_token_id: end,
      },
    },
    // As in the published model: requests beam search and a maximum length, which greedy captioning ignores.
    'generation_config.json': { ...ends, max_length: 16, num_beams: 4 },
    'preprocessor_config.json': {
      image_processor_type: 'ViTImageProcessor',
      feature_extractor_type: 'ViTFeatureExtractor',
      ...squareImages(SIDE_PX, HALVES, HALVES),
      resample: 2,
    },
    'onnx/encoder_model.onnx': encoder(seed),
    'onnx/decoder_model_merged.onnx': decoder(seed + 1, { ...tokenizer, end }, positions),
  };
}

function encoder(seed: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const seen = block(graph, patches(graph, 'pixel_values'), blockWeights(graph));
  graph.output('last_hidden_state', norm(graph, seen, normWeights(graph)));
  return graph.model(
    'encoder',
    [float('pixel_values', ['batch_size', 3, SIDE_PX, SIDE_PX])],
    [float('last_hidden_state', ['batch_size', 'encoder_sequence_length', DIM])],
  );
}

function decoder(seed: number, speech: Speech, nPositions: number): Uint8Array {
  const graph = new GraphBuilder(seed);
  const words = graph.op('Gather', [graph.weight([speech.vocab_size, DIM], 1), 'input_ids']);
  const table = graph.weight([nPositions, DIM], 1);
  const { inputs, outputs } = mergedDecoder(graph, words, table, speech, {
    keeps_encoder: false,
    has_encoder_mask: false,
  });
  return graph.model('decoder', [int64('input_ids', ['batch_size', 'sequence_length']), ...inputs], outputs);
}
