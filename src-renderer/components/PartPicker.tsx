import { type CSSProperties, type PointerEvent, useState } from 'react';
import { useShortcut } from '../lib/use-shortcut.ts';
import type { ImagePart } from '../lib/visual-search.ts';
import styles from './PartPicker.module.css';

/** Minimum side of a drawn box in pixels. Smaller boxes are accidental. */
const LEAST_PX = 8;

interface PartPickerProps {
  /** Current position of the image. */
  style: CSSProperties;
  note: string;
  onPick(part: ImagePart): void;
  onCancel(): void;
}

interface Point {
  x: number;
  y: number;
}

/** Lets the user draw a box on an image. */
export function PartPicker({ style, note, onPick, onCancel }: PartPickerProps) {
  const [drawn, setDrawn] = useState<{ from: Point; to: Point } | null>(null);
  const [drawing, setDrawing] = useState(false);
  useShortcut('Escape', onCancel);

  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    // Prevents the view below from moving the image.
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = pointOf(event);
    setDrawing(true);
    setDrawn({ from, to: from });
  };
  const draw = (event: PointerEvent<HTMLDivElement>) => {
    if (drawing && drawn !== null) setDrawn({ from: drawn.from, to: pointOf(event) });
  };
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (!drawing || drawn === null) return;
    setDrawing(false);
    const part = partOf(drawn.from, pointOf(event));
    const { width, height } = event.currentTarget.getBoundingClientRect();
    if (part.width * width < LEAST_PX || part.height * height < LEAST_PX) setDrawn(null);
    else onPick(part);
  };
  const part = drawn && partOf(drawn.from, drawn.to);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a box is drawn by pointer; objects and whole images are searched for by key */}
      <div
        className={styles.area}
        style={style}
        data-testid="part-picker"
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={() => setDrawing(false)}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        {part !== null && (
          <div
            className={styles.part}
            style={{
              left: percent(part.x),
              top: percent(part.y),
              width: percent(part.width),
              height: percent(part.height),
            }}
          />
        )}
      </div>
      <p className={styles.note} role="status">
        {note}
      </p>
    </>
  );
}

/** A point in fractions of the image, clamped to its edges. */
function pointOf(event: PointerEvent<HTMLDivElement>): Point {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return { x: within((event.clientX - left) / width), y: within((event.clientY - top) / height) };
}

function partOf(a: Point, b: Point): ImagePart {
  return {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  };
}

function percent(fraction: number): string {
  return `${100 * fraction}%`;
}
