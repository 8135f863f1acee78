import type { Image } from '../../../src-main/contract/schemas/image.ts';

type ImageObject = Image['objects'][number];

/** How much a predicted box must overlap an annotated one of its label: intersection over union. */
export const SAME_BOX_IOU = 0.5;

/** How a model's objects agree with those of annotations and people. */
export interface BoxAgreement {
  /** A model's id. */
  source: string;
  nFound: number;
  nAnnotated: number;
  /** Predicted objects that no annotation bears out. */
  nExtra: number;
}

export interface ComparedBoxes {
  models: BoxAgreement[];
  /** Ids of annotated objects that no model found, and of predicted ones that are nowhere annotated. */
  missed: ReadonlySet<string>;
  extra: ReadonlySet<string>;
}

/**
 * Predicted beside annotated objects, as detection benchmarks pair them: from the surest on, each predicted box takes the free annotated box
 * of its label that it overlaps most, from an IoU of 0.5 on (Everingham et al., "The PASCAL Visual Object Classes (VOC) Challenge",
 * IJCV 88, 2010). Undefined where there are not both kinds.
 *
 * @param isSure Whether a predicted object counts.
 */
export function compareBoxes(
  objects: readonly ImageObject[],
  isSure: (object: ImageObject) => boolean,
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
    for (const object of ofModel.filter(isSure).toSorted((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))) {
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

/** Whether annotations or a person say so, not a model. */
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
