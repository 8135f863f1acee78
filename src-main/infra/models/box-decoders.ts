import type { PictureInput } from '../../contract/schemas/model-definition.ts';
import { sigmoid, softmax } from './graph-model.ts';
import { type GraphValue, UnfitGraphError } from './picture-graph.ts';

/** A box in pixels of the model's input. */
export interface Candidate {
  class_id: number;
  confidence: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type BoxDecoder = (
  outputs: ReadonlyMap<string, GraphValue>,
  options: { input: PictureInput; n_labels: number; min_confidence: number },
) => Candidate[];

const YOLOX_STRIDES = [8, 16, 32] as const;

/**
 * `[n, 5 + classes]` on a grid for each stride, row by row: offset of the centre from its cell and logarithm of the size, in strides, then
 * objectness and classes as probabilities. Each cell speaks for its likeliest class (Ge et al., "YOLOX: Exceeding YOLO Series in 2021",
 * arXiv 2107.08430; `postprocess` of its reference implementation).
 */
export const decodeYolox: BoxDecoder = (outputs, { input, n_labels, min_confidence }) => {
  const [output] = outputs.values();
  const width = 5 + n_labels;
  const cells = YOLOX_STRIDES.map(
    (stride) => Math.floor(input.width_px / stride) * Math.floor(input.height_px / stride),
  );
  const n = cells.reduce((sum, count) => sum + count, 0);
  if (output?.values.length !== n * width) {
    throw new UnfitGraphError(`it gives ${output?.values.length ?? 0} values, not ${n} boxes of ${n_labels} classes`);
  }
  const { values } = output;
  const found: Candidate[] = [];
  let row = 0;
  for (const stride of YOLOX_STRIDES) {
    const across = Math.floor(input.width_px / stride);
    const down = Math.floor(input.height_px / stride);
    for (let cell = 0; cell < across * down; cell += 1, row += 1) {
      const at = row * width;
      const objectness = values[at + 4] ?? 0;
      if (objectness < min_confidence) continue;
      const [class_id, likelihood] = highest(values, at + 5, n_labels);
      const confidence = objectness * likelihood;
      if (confidence < min_confidence) continue;
      const x = ((values[at] ?? 0) + (cell % across)) * stride;
      const y = ((values[at + 1] ?? 0) + Math.floor(cell / across)) * stride;
      const half_width = (Math.exp(values[at + 2] ?? 0) * stride) / 2;
      const half_height = (Math.exp(values[at + 3] ?? 0) * stride) / 2;
      found.push({ class_id, confidence, ...around(x, y, half_width, half_height) });
    }
  }
  return found;
};

/**
 * `logits` [n, classes] and `pred_boxes` [n, 4]. With one class more than there are labels the last one is "nothing" and a softmax is meant
 * (DETR); else each class has a sigmoid of its own (RT-DETR, D-FINE), and a box may be given under more than one.
 */
export const decodeDetr: BoxDecoder = (outputs, { input, n_labels, min_confidence }) => {
  const [logits, boxes] = [outputs.get('logits'), outputs.get('pred_boxes')];
  const [n = 0, n_classes = 0] = logits?.dims ?? [];
  if (logits === undefined || boxes?.values.length !== n * 4 || n_classes < n_labels || n_classes > n_labels + 1) {
    throw new UnfitGraphError(`its "logits" and "pred_boxes" are not boxes of ${n_labels} classes`);
  }
  const found: Candidate[] = [];
  for (let row = 0; row < n; row += 1) {
    const of_row = logits.values.subarray(row * n_classes, (row + 1) * n_classes);
    const confidences = n_classes > n_labels ? softmax(of_row) : of_row.map(sigmoid);
    const [x = 0, y = 0, width = 0, height = 0] = boxes.values.subarray(row * 4, row * 4 + 4);
    const box = around(
      x * input.width_px,
      y * input.height_px,
      (width * input.width_px) / 2,
      (height * input.height_px) / 2,
    );
    for (let class_id = 0; class_id < n_labels; class_id += 1) {
      const confidence = confidences[class_id] ?? 0;
      if (confidence >= min_confidence) found.push({ class_id, confidence, ...box });
    }
  }
  return found;
};

/**
 * `scores` [n, classes] and `boxes` [n, 4] as left, top, right, bottom in fractions. The first class is background; a label list may name
 * it or leave it out.
 */
export const decodeCornerBoxes: BoxDecoder = (outputs, { input, n_labels, min_confidence }) => {
  const [scores, boxes] = [outputs.get('scores'), outputs.get('boxes')];
  const [n = 0, n_classes = 0] = scores?.dims ?? [];
  const unnamed = n_classes - n_labels;
  if (scores === undefined || boxes?.values.length !== n * 4 || unnamed < 0 || unnamed > 1) {
    throw new UnfitGraphError(`its "scores" and "boxes" are not boxes of ${n_labels} classes`);
  }
  const found: Candidate[] = [];
  for (let row = 0; row < n; row += 1) {
    for (let of_graph = 1; of_graph < n_classes; of_graph += 1) {
      const confidence = scores.values[row * n_classes + of_graph] ?? 0;
      if (confidence < min_confidence) continue;
      const [left = 0, top = 0, right = 0, bottom = 0] = boxes.values.subarray(row * 4, row * 4 + 4);
      found.push({
        class_id: of_graph - unnamed,
        confidence,
        left: left * input.width_px,
        top: top * input.height_px,
        right: right * input.width_px,
        bottom: bottom * input.height_px,
      });
    }
  }
  return found;
};

function around(x: number, y: number, half_width: number, half_height: number) {
  return { left: x - half_width, top: y - half_height, right: x + half_width, bottom: y + half_height };
}

function highest(values: Float32Array, start: number, count: number): [at: number, value: number] {
  let best = 0;
  for (let at = 1; at < count; at += 1) if ((values[start + at] ?? 0) > (values[start + best] ?? 0)) best = at;
  return [best, values[start + best] ?? 0];
}
