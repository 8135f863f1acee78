/** A drawn image with its label and the boxes of its objects. */
export interface DrawnImage {
  /** Path below the folder of the sample. */
  name: string;
  label: string;
  /** `[x, y, width, height]` in pixels. */
  boxes: [number, number, number, number][];
}

/** Share of the objects that the invented detector misses, mistakes for another class, or reports where nothing is. */
const MISSED = 0.08;
const MISTAKEN = 0.12;
const INVENTED = 0.06;
/** Maximum distance of a predicted edge from the annotated one, as a share of the side. */
const JITTER = 0.12;

/**
 * Returns the annotation files of the sample by name: a table of the labels of images, annotated boxes in COCO's format, and the results of an
 * invented detector, which is wrong at times.
 * @param classes Names of the classes, in the order of their ids.
 */
export function annotationsOf(
  drawn: readonly DrawnImage[],
  classes: readonly string[],
  size: { width: number; height: number },
): Record<string, string> {
  return {
    'image_annotations.csv': ['filename,label', ...drawn.map(({ name, label }) => `${name},${label}`), ''].join('\n'),
    'annotations.json': JSON.stringify({
      images: drawn.map(({ name }, id) => ({ id, file_name: name, ...size })),
      categories: classes.map((name, id) => ({ id, name })),
      annotations: drawn.flatMap(({ label, boxes }, image) =>
        boxes.map((bbox, at) => ({ id: image * 100 + at, image_id: image, category_id: classes.indexOf(label), bbox })),
      ),
    }),
    'predictions.json': JSON.stringify(drawn.flatMap((image, id) => predictionsOf(image, id, classes))),
  };
}

function predictionsOf({ label, boxes }: DrawnImage, image: number, classes: readonly string[]) {
  const random = seeded(image + 1);
  const own = classes.indexOf(label);
  const other = () => (own + 1 + Math.floor(random() * (classes.length - 1))) % classes.length;
  return boxes.flatMap(([x, y, width, height]) => {
    if (random() < MISSED) return [];
    const isMistaken = random() < MISTAKEN;
    const moved = (place: number, side: number) =>
      Math.max(0, Math.round(place + (random() - 0.5) * 2 * JITTER * side));
    const found = {
      image_id: image,
      category_id: isMistaken ? other() : own,
      bbox: [moved(x, width), moved(y, height), width, height],
      score: rounded(isMistaken ? 0.3 + random() * 0.4 : 0.55 + random() * 0.44),
    };
    if (random() >= INVENTED) return [found];
    return [
      found,
      { image_id: image, category_id: other(), bbox: [8, 8, 60, 60], score: rounded(0.25 + random() * 0.3) },
    ];
  });
}

function rounded(score: number): number {
  return Number(score.toFixed(3));
}

/** A small seeded generator (mulberry32, Tommy Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
