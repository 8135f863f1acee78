/** A box with corners in pixels: left, top, right, bottom. */
type Corners = readonly [number, number, number, number];

export interface TrueBox {
  image: string;
  class_id: number;
  corners: Corners;
  /** A region that contains many objects. Detections in it count neither as correct nor as wrong. */
  is_crowd: boolean;
}

export interface FoundBox {
  image: string;
  class_id: number;
  confidence: number;
  corners: Corners;
}

/** COCO interpolates precision at recalls 0, 0.01, … 1. */
const RECALLS = Array.from({ length: 101 }, (_, step) => step / 100);

/**
 * Returns the mean average precision at one overlap over all classes that occur, computed as in COCO (Lin et al., "Microsoft COCO: Common
 * Objects in Context", ECCV 2014; `cocoeval` of its reference implementation, all areas, 100 detections per image).
 */
export function meanAveragePrecision(found: readonly FoundBox[], truth: readonly TrueBox[], minIou = 0.5): number {
  const classes = [...new Set(truth.filter(({ is_crowd }) => !is_crowd).map(({ class_id }) => class_id))];
  const precisions = classes.map((classId) =>
    averagePrecision(
      found.filter((box) => box.class_id === classId),
      truth.filter((box) => box.class_id === classId),
      minIou,
    ),
  );
  return precisions.reduce((sum, value) => sum + value, 0) / classes.length;
}

function averagePrecision(found: readonly FoundBox[], truth: readonly TrueBox[], minIou: number): number {
  const taken = new Set<TrueBox>();
  const expected = truth.filter(({ is_crowd }) => !is_crowd).length;
  const points: { recall: number; precision: number }[] = [];
  let [right, wrong] = [0, 0];
  for (const box of found.toSorted((a, b) => b.confidence - a.confidence)) {
    const here = truth.filter(({ image }) => image === box.image);
    const match = bestMatch(
      box,
      here.filter((one) => !one.is_crowd && !taken.has(one)),
      minIou,
    );
    if (match !== undefined) {
      taken.add(match);
      right += 1;
    } else if (here.some((one) => one.is_crowd && overlap(box.corners, one.corners, true) >= minIou)) {
      continue;
    } else {
      wrong += 1;
    }
    points.push({ recall: right / expected, precision: right / (right + wrong) });
  }
  const at = RECALLS.map((recall) =>
    points.reduce((best, point) => (point.recall >= recall ? Math.max(best, point.precision) : best), 0),
  );
  return at.reduce((sum, value) => sum + value, 0) / RECALLS.length;
}

function bestMatch(box: FoundBox, candidates: readonly TrueBox[], minIou: number): TrueBox | undefined {
  let best: TrueBox | undefined;
  let most = minIou;
  for (const candidate of candidates) {
    const shared = overlap(box.corners, candidate.corners, false);
    if (shared < most) continue;
    [best, most] = [candidate, shared];
  }
  return best;
}

/** Intersection over union. For a crowd region, the intersection is divided by the area of the detected box. */
function overlap(a: Corners, b: Corners, isCrowd: boolean): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const area = (box: Corners) => (box[2] - box[0]) * (box[3] - box[1]);
  return (width * height) / (isCrowd ? area(a) : area(a) + area(b) - width * height);
}
