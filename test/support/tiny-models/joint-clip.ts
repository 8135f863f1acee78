import { addClipText, addClipVision, JOINT_DIM, tinyClip } from './encoders.ts';
import { float, GraphBuilder, int64 } from './graph-builder.ts';
import { SIDE_PX } from './layers.ts';
import type { ModelFolder } from './model-folder.ts';
import { clipTokenizer } from './tokenizers.ts';

/** Factor by which the stand-ins multiply cosines. */
export const LOGIT_SCALE = 42;
/** Words that the colour stand-in knows, and their colours as differences from grey. */
const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  flower: [1, -0.5, -0.5],
  tree: [-0.5, 1, -0.5],
  sea: [-0.5, -0.5, 1],
  sun: [1, 1, -1],
  snow: [1, 1, 1],
  road: [-1, -1, -1],
};
/** Mean and deviation of pixels in `preprocessor_config.json` of CLIP. */
const MEAN = [0.48145466, 0.4578275, 0.40821073];
const DEVIATION = [0.26862954, 0.26130258, 0.27577711];
/** Number of token ids that are control characters, signs and digits. */
const SIGNS = 64;
const NAME = 'onnx/model_quantized.onnx';

/** CLIP with random weights in one graph of both encoders. The text encoder has an `If`, whose branches use tensors from outside. */
export function jointClip(seed: number): ModelFolder {
  return jointFolder((graph, vocabSize) => {
    const text = addClipText(graph, vocabSize).embeds;
    const chosen = 'chosen_text';
    const isLong = graph.op('Greater', [
      graph.op('Gather', [graph.op('Shape', ['input_ids']), graph.int(1)]),
      graph.int(1),
    ]);
    const weight = graph.weight([JOINT_DIM, JOINT_DIM], 1);
    graph.either(
      isLong,
      [{ name: chosen, shape: ['batch_size', JOINT_DIM] }],
      (branch) => [branch.op('MatMul', [text, weight])],
      (branch) => [branch.op('Neg', [text])],
    );
    return { image: addClipVision(graph).embeds, text: chosen };
  }, seed);
}

/**
 * A stand-in that knows colours: the vector of an image is its mean colour, that of a text the sum of the colours of the words that it knows,
 * which are those of {@link COLOURS}. A text without such words has a vector of zeros.
 */
export function colourClip(): ModelFolder {
  const tokenizer = clipTokenizer();
  return jointFolder((graph, vocabSize) => {
    const mean = graph.op('ReduceMean', ['pixel_values'], { axes: { ints: [2, 3] }, keepdims: { int: 0 } });
    const shown = graph.op('Add', [
      graph.op('Mul', [mean, graph.floats([3], DEVIATION)]),
      graph.floats(
        [3],
        MEAN.map((value) => value - 0.5),
      ),
    ]);
    const rows = new Array<number>(vocabSize * JOINT_DIM).fill(0);
    for (const [word, colour] of Object.entries(COLOURS)) {
      colour.forEach((value, at) => {
        rows[tokenizer.idOf(`${word}</w>`) * JOINT_DIM + at] = value;
      });
    }
    // Signs and digits have colours too, so that the factor on cosines can be measured with any tokens.
    for (let id = 0; id < SIGNS; id += 1) rows[id * JOINT_DIM + (id % 3)] = 1;
    const words = graph.op('Gather', [graph.floats([vocabSize, JOINT_DIM], rows), 'input_ids']);
    const mask = graph.op('Unsqueeze', [graph.op('Cast', ['attention_mask'], { to: { int: 1 } }), graph.ints([2])]);
    const text = graph.op('ReduceSum', [graph.op('Mul', [words, mask]), graph.ints([1])], { keepdims: { int: 0 } });
    const padded = new Array<number>(3 * JOINT_DIM).fill(0).map((_, at) => (at % (JOINT_DIM + 1) === 0 ? 1 : 0));
    return { image: graph.op('MatMul', [shown, graph.floats([3, JOINT_DIM], padded)]), text };
  });
}

type Towers = (graph: GraphBuilder, vocabSize: number) => { image: string; text: string };

function jointFolder(towers: Towers, seed = 1): ModelFolder {
  const { 'onnx/vision_model.onnx': _vision, 'onnx/text_model.onnx': _text, ...files } = tinyClip(seed);
  const graph = new GraphBuilder(seed);
  const { image, text } = towers(graph, clipTokenizer().vocab_size);
  const images = unit(graph, image);
  const texts = unit(graph, text);
  const cosines = graph.op('MatMul', [texts, graph.op('Transpose', [images], { perm: { ints: [1, 0] } })]);
  const logits = graph.op('Mul', [cosines, graph.op('Exp', [graph.scalar(Math.log(LOGIT_SCALE))])]);
  graph.output('logits_per_text', logits);
  graph.ops('Transpose', [logits], ['logits_per_image'], { perm: { ints: [1, 0] } });
  graph.output('text_embeds', texts);
  graph.output('image_embeds', images);
  const model = graph.model(
    'joint',
    [
      int64('input_ids', ['text_batch_size', 'sequence_length']),
      float('pixel_values', ['image_batch_size', 3, SIDE_PX, SIDE_PX]),
      int64('attention_mask', ['text_batch_size', 'sequence_length']),
    ],
    [
      float('logits_per_image', ['image_batch_size', 'text_batch_size']),
      float('logits_per_text', ['text_batch_size', 'image_batch_size']),
      float('text_embeds', ['text_batch_size', JOINT_DIM]),
      float('image_embeds', ['image_batch_size', JOINT_DIM]),
    ],
  );
  return { ...files, [NAME]: model };
}

function unit(graph: GraphBuilder, vectors: string): string {
  const length = graph.op('ReduceL2', [vectors], { axes: { ints: [1] }, keepdims: { int: 1 } });
  return graph.op('Div', [vectors, graph.op('Max', [length, graph.scalar(1e-6)])]);
}

/** How a catalogue describes a stand-in. */
export const JOINT_ENCODER = {
  kind: 'image_encoder',
  model_file: 'onnx/vision_model_quantized.onnx',
  output: 'image_embeds',
  dim: JOINT_DIM,
  input: {
    name: 'pixel_values',
    width_px: SIDE_PX,
    height_px: SIDE_PX,
    resize: 'crop',
    resize_px: SIDE_PX,
    kernel: 'bicubic',
    mean: MEAN,
    std: DEVIATION,
  },
  text: { model_file: 'onnx/text_model_quantized.onnx', output: 'text_embeds', max_tokens: 77 },
} as const;
