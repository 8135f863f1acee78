/**
 * [Note: Agreement]
 * Annotations are compared with predictions in pairs. Boxes: predictions, the most confident first, each take the free annotated box of their
 * image with the largest intersection over union, if that is at least MATCH_IOU, whatever its class (the greedy matching of PASCAL VOC,
 * Everingham and others 2010). A prediction that takes none is a pair without annotation; a box that is left is a pair without prediction. A
 * more confident prediction never depends on a less confident one, so the pairs serve every minimum confidence. Labels of whole items: the most
 * confident label of a tagger is a pair with the same annotated label, or with the first one.
 */
export interface Pairs {
  /** Names of classes. */
  names: readonly string[];
  n: number;
  /** Row of the item of each pair. */
  images: Int32Array;
  /** Rows of the annotated and predicted object, -1 for none. For labels: the row of the item. */
  annotatedRows: Int32Array;
  predictedRows: Int32Array;
  /** Indexes into `names`, -1 for none. */
  annotated: Int32Array;
  predicted: Int32Array;
  /** NaN without a prediction. */
  confidences: Float32Array;
}

export class PairList {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #images: number[] = [];
  readonly #annotatedRows: number[] = [];
  readonly #predictedRows: number[] = [];
  readonly #annotated: number[] = [];
  readonly #predicted: number[] = [];
  readonly #confidences: number[] = [];

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  add(
    image: number,
    annotated: { row: number; label: number } | undefined,
    predicted: { row: number; label: number; confidence: number } | undefined,
  ): void {
    this.#images.push(image);
    this.#annotatedRows.push(annotated?.row ?? -1);
    this.#predictedRows.push(predicted?.row ?? -1);
    this.#annotated.push(annotated?.label ?? -1);
    this.#predicted.push(predicted?.label ?? -1);
    this.#confidences.push(predicted?.confidence ?? Number.NaN);
  }

  list(): Pairs {
    return {
      names: this.#names,
      n: this.#images.length,
      images: Int32Array.from(this.#images),
      annotatedRows: Int32Array.from(this.#annotatedRows),
      predictedRows: Int32Array.from(this.#predictedRows),
      annotated: Int32Array.from(this.#annotated),
      predicted: Int32Array.from(this.#predicted),
      confidences: Float32Array.from(this.#confidences),
    };
  }
}
