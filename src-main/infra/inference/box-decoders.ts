import { message } from '../../contract/messages.ts';
import type { ImageInput } from '../../contract/schemas/model-definition.ts';
import { sigmoid, softmax } from './graph-model.ts';
import { type GraphValue, UnfitGraphError } from './image-graph.ts';

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
  options: { input: ImageInput; n_labels: number; min_confidence: number },
) => Candidate[];

const YOLOX_STRIDES = [8, 16, 32] as const;

/**
 * `[n, 5 + classes]` on a grid for each stride, row by row: offset of the centre from its cell and logarithm of the size, in strides, then
 * objectness and classes as probabilities. Each cell yields its likeliest class (Ge et al., "YOLOX: Exceeding YOLO Series in 2021",
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
    const found = output?.values.length ?? 0;
    throw new UnfitGraphError(message('graph_boxes_differ', { found, n, classes: n_labels }));
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
      const [classId, likelihood] = highest(values, at + 5, n_labels);
      const confidence = objectness * likelihood;
      if (confidence < min_confidence) continue;
      const x = ((values[at] ?? 0) + (cell % across)) * stride;
      const y = ((values[at + 1] ?? 0) + Math.floor(cell / across)) * stride;
      const halfWidth = (Math.exp(values[at + 2] ?? 0) * stride) / 2;
      const halfHeight = (Math.exp(values[at + 3] ?? 0) * stride) / 2;
      found.push({ class_id: classId, confidence, ...around(x, y, halfWidth, halfHeight) });
    }
  }
  return found;
};

function notBoxes(outputs: string, classes: number): UnfitGraphError {
  return new UnfitGraphError(message('graph_outputs_not_boxes', { outputs, classes }));
}

/**
 * `logits` [n, classes] and `pred_boxes` [n, 4]. With one class more than labels, the last class is "no object" and a softmax applies
 * (DETR); otherwise each class has its own sigmoid (RT-DETR, D-FINE), and a box may have several labels.
 */
export const decodeDetr: BoxDecoder = (outputs, { input, n_labels, min_confidence }) => {
  const [logits, boxes] = [outputs.get('logits'), outputs.get('pred_boxes')];
  const [n = 0, nClasses = 0] = logits?.dims ?? [];
  if (logits === undefined || boxes?.values.length !== n * 4 || nClasses < n_labels || nClasses > n_labels + 1) {
    throw notBoxes('"logits" and "pred_boxes"', n_labels);
  }
  const found: Candidate[] = [];
  for (let row = 0; row < n; row += 1) {
    const ofRow = logits.values.subarray(row * nClasses, (row + 1) * nClasses);
    const confidences = nClasses > n_labels ? softmax(ofRow) : ofRow.map(sigmoid);
    const [x = 0, y = 0, width = 0, height = 0] = boxes.values.subarray(row * 4, row * 4 + 4);
    const box = around(
      x * input.width_px,
      y * input.height_px,
      (width * input.width_px) / 2,
      (height * input.height_px) / 2,
    );
    for (let classId = 0; classId < n_labels; classId += 1) {
      const confidence = confidences[classId] ?? 0;
      if (confidence >= min_confidence) found.push({ class_id: classId, confidence, ...box });
    }
  }
  return found;
};

/**
 * `scores` [n, classes] and `boxes` [n, 4] as left, top, right, bottom in fractions. The first class is background, which the label list may
 * contain or omit.
 */
export const decodeCornerBoxes: BoxDecoder = (outputs, { input, n_labels, min_confidence }) => {
  const [scores, boxes] = [outputs.get('scores'), outputs.get('boxes')];
  const [n = 0, nClasses = 0] = scores?.dims ?? [];
  const unnamed = nClasses - n_labels;
  if (scores === undefined || boxes?.values.length !== n * 4 || unnamed < 0 || unnamed > 1) {
    throw notBoxes('"scores" and "boxes"', n_labels);
  }
  const found: Candidate[] = [];
  for (let row = 0; row < n; row += 1) {
    for (let ofGraph = 1; ofGraph < nClasses; ofGraph += 1) {
      const confidence = scores.values[row * nClasses + ofGraph] ?? 0;
      if (confidence < min_confidence) continue;
      const [left = 0, top = 0, right = 0, bottom = 0] = boxes.values.subarray(row * 4, row * 4 + 4);
      found.push({
        class_id: ofGraph - unnamed,
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

function around(x: number, y: number, halfWidth: number, halfHeight: number) {
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
}

function highest(values: Float32Array, start: number, count: number): [at: number, value: number] {
  let best = 0;
  for (let at = 1; at < count; at += 1) if ((values[start + at] ?? 0) > (values[start + best] ?? 0)) best = at;
  return [best, values[start + best] ?? 0];
}
