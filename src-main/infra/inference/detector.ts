import type { RunnerOf } from '../../contract/schemas/model-definition.ts';
import type { PixelBox } from '../../core/ports/image.ts';
import type { DetectedObject } from '../../core/ports/inference.ts';
import type { PreparedImage } from '../images/image-input.ts';
import { type BoxDecoder, type Candidate, decodeCornerBoxes, decodeDetr, decodeYolox } from './box-decoders.ts';
import { openGraphModel } from './graph-model.ts';
import type { ImageModel, OpenContext } from './image-model.ts';
import { readLabelList } from './label-list.ts';
import { suppressOverlaps } from './suppress-overlaps.ts';

const DECODERS: Record<RunnerOf<'detector'>['decoder'], { decode: BoxDecoder; overlaps: boolean }> = {
  yolox: { decode: decodeYolox, overlaps: true },
  corner_boxes: { decode: decodeCornerBoxes, overlaps: true },
  // Trained to detect each object once (Carion et al., "End-to-End Object Detection with Transformers", ECCV 2020).
  detr: { decode: decodeDetr, overlaps: false },
};

/** Opens a detector. Its boxes are in pixels of the upright image, highest confidence first. */
export async function openDetector(
  folder: string,
  runner: RunnerOf<'detector'>,
  context: OpenContext,
): Promise<ImageModel> {
  const labels = await readLabelList(folder, runner.labels_file);
  const { decode, overlaps } = DECODERS[runner.decoder];
  const { input, min_confidence, max_iou, max_objects } = runner;
  return openGraphModel(folder, runner, context, () => (outputs, image) => {
    const found = decode(outputs, { input, n_labels: labels.length, min_confidence });
    found.sort((a, b) => b.confidence - a.confidence);
    const kept = overlaps ? suppressOverlaps(found, max_iou, max_objects) : found.slice(0, max_objects);
    return { kind: 'objects', objects: kept.map((candidate) => objectOf(candidate, labels, image)) };
  });
}

function objectOf(candidate: Candidate, labels: readonly string[], image: PreparedImage): DetectedObject {
  const { class_id, confidence } = candidate;
  return {
    label: labels[class_id] || `class ${class_id}`,
    class_id,
    confidence,
    box: boxOnImage(candidate, image),
  };
}

/** Rounds to whole pixels inside the image, at least one in each direction. */
function boxOnImage({ left, top, right, bottom }: Candidate, prepared: PreparedImage): PixelBox {
  const { image, scale_x, scale_y, offset_x, offset_y } = prepared;
  const [x, width] = span((left - offset_x) / scale_x, (right - offset_x) / scale_x, image.width);
  const [y, height] = span((top - offset_y) / scale_y, (bottom - offset_y) / scale_y, image.height);
  return { x, y, width, height };
}

function span(from: number, to: number, length: number): [start: number, size: number] {
  const start = Math.min(length - 1, Math.max(0, Math.round(from)));
  const end = Math.min(length, Math.max(start + 1, Math.round(to)));
  return [start, end - start];
}
