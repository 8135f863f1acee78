import outline from '../../components/Outline.module.css';
import { placeOfBox } from '../../lib/boxes.ts';
import { labelColour } from '../../lib/label-colour.ts';
import styles from './ImageBoxes.module.css';
import type { PreviewOutput } from './preview.store.ts';

interface ImageBoxesProps {
  output: PreviewOutput;
  widthPx: number;
  heightPx: number;
}

/**
 * Boxes of objects over an image that fills its parent, numbered as in the text below. Small boxes lie over large ones.
 * Hidden from screen readers, since the text contains the same.
 */
export function ImageBoxes({ output, widthPx, heightPx }: ImageBoxesProps) {
  const boxes = output.objects
    .map((object, at) => ({ ...object, number: at + 1 }))
    .toSorted((a, b) => areaOf(b.bounding_box) - areaOf(a.bounding_box));
  return (
    <div className={styles.boxes} aria-hidden="true">
      {boxes.map(({ label, bounding_box, number }) => (
        <div
          key={number}
          className={`${outline.outline} ${styles.box}`}
          data-testid="preview-box"
          style={{ ...placeOfBox(bounding_box, widthPx, heightPx), ...labelColour(label) }}
        >
          <span className={styles.tag}>{number}</span>
          <span className={styles.label}>{label}</span>
        </div>
      ))}
    </div>
  );
}

function areaOf({ width, height }: { width: number; height: number }): number {
  return width * height;
}
