import { float, GraphBuilder } from './graph-builder.ts';
import {
  attend,
  attentionWeights,
  block,
  blockWeights,
  DIM,
  feedForward,
  keysAndValues,
  linear,
  linearWeights,
  norm,
  normWeights,
  patches,
  SIDE_PX,
} from './layers.ts';
import { IMAGENET_MEAN, IMAGENET_STD, type ModelFolder, squareImages } from './model-folder.ts';

export const DETECTOR_LABELS = ['person', 'car', 'dog', 'cat', 'chair'] as const;
const DETECTOR_QUERIES = 10;

/** A detector in RT-DETR's layout (arXiv 2304.08069): learned queries attend to the image, and each returns class scores and one box. */
export function tinyDetector(seed: number): ModelFolder {
  const graph = new GraphBuilder(seed);
  const seen = block(graph, patches(graph, 'pixel_values'), blockWeights(graph));
  const weights = blockWeights(graph);
  // Each query gets the mean of the image's tokens, which also gives the queries their batch dimension.
  const gist = graph.op('ReduceMean', [seen], { axes: { ints: [1] }, keepdims: { int: 1 } });
  const queries = graph.op('Add', [graph.weight([1, DETECTOR_QUERIES, DIM], 2), gist]);
  const reading = attentionWeights(graph);
  const found = attend(graph, norm(graph, queries, normWeights(graph)), keysAndValues(graph, seen, reading), reading);
  const answers = norm(graph, feedForward(graph, graph.op('Add', [queries, found]), weights), normWeights(graph));
  graph.output('logits', linear(graph, answers, linearWeights(graph, DIM, DETECTOR_LABELS.length, 2)));
  graph.output('pred_boxes', graph.op('Sigmoid', [linear(graph, answers, linearWeights(graph, DIM, 4))]));
  return {
    'config.json': {
      model_type: 'rt_detr',
      architectures: ['RTDetrForObjectDetection'],
      num_queries: DETECTOR_QUERIES,
      id2label: Object.fromEntries(DETECTOR_LABELS.entries()),
      label2id: Object.fromEntries(DETECTOR_LABELS.map((label, id) => [label, id])),
    },
    'preprocessor_config.json': {
      image_processor_type: 'RTDetrImageProcessor',
      ...squareImages(SIDE_PX, IMAGENET_MEAN, IMAGENET_STD),
      do_normalize: false,
      do_pad: false,
      resample: 2,
    },
    'onnx/model.onnx': graph.model(
      'detector',
      [float('pixel_values', ['batch_size', 3, SIDE_PX, SIDE_PX])],
      [
        float('logits', ['batch_size', DETECTOR_QUERIES, DETECTOR_LABELS.length]),
        float('pred_boxes', ['batch_size', DETECTOR_QUERIES, 4]),
      ],
    ),
  };
}
