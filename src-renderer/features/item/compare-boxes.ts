import type { Image } from '../../../src-main/contract/schemas/image.ts';

type ImageObject = Image['objects'][number];

/** Minimum IoU of a predicted box with an annotated box of the same label. */
export const SAME_BOX_IOU = 0.5;

/** Agreement of a model's objects with annotated objects. */
export interface BoxAgreement {
  /** Model id. */
  source: string;
  nFound: number;
  nAnnotated: number;
  /** Number of predicted objects without an annotated counterpart. */
  nExtra: number;
}

export interface ComparedBoxes {
  models: BoxAgreement[];
  /** Ids of annotated objects that no model found, and of predicted objects that are not annotated. */
  missed: ReadonlySet<string>;
  extra: ReadonlySet<string>;
}

/**
 * Matches predicted with annotated objects as detection benchmarks do: in order of confidence, each predicted box takes the free annotated box
 * of its label with the highest overlap, from an IoU of 0.5 (Everingham et al., "The PASCAL Visual Object Classes (VOC) Challenge",
 * IJCV 88, 2010). Undefined unless both kinds exist.
 *
 * @param counts Whether a predicted object counts.
 */
export function compareBoxes(
  objects: readonly ImageObject[],
  counts: (object: ImageObject) => boolean,
): ComparedBoxes | undefined {
  const annotated = objects.filter(isAnnotated);
  const predicted = objects.filter((object) => !isAnnotated(object));
  if (annotated.length === 0 || predicted.length === 0) return undefined;
  const found = new Set<string>();
  const extra = new Set<string>();
  const models: BoxAgreement[] = [];
  for (const [source, ofModel] of Map.groupBy(predicted, (object) => object.source)) {
    const taken = new Set<string>();
    let nExtra = 0;
    for (const object of ofModel.filter(counts).toSorted((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))) {
      const [best] = annotated
        .filter(({ object_id, label }) => !taken.has(object_id) && isSameLabel(label, object.label))
        .map(({ object_id, bounding_box }) => ({ id: object_id, iou: overlap(bounding_box, object.bounding_box) }))
        .sort((a, b) => b.iou - a.iou);
      if (best !== undefined && best.iou >= SAME_BOX_IOU) {
        taken.add(best.id);
        found.add(best.id);
      } else {
        nExtra += 1;
        extra.add(object.object_id);
      }
    }
    models.push({ source, nFound: taken.size, nAnnotated: annotated.length, nExtra });
  }
  const missed = annotated.flatMap(({ object_id }) => (found.has(object_id) ? [] : [object_id]));
  return { models, missed: new Set(missed), extra };
}

/** Whether the object comes from annotations or a user rather than a model. */
export function isAnnotated({ confidence }: ImageObject): boolean {
  return confidence === null;
}

function isSameLabel(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

type Box = ImageObject['bounding_box'];

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
}
