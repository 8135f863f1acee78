import * as Plot from '@observablehq/plot';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSize } from '../map/use-size.ts';
import styles from './Charts.module.css';

/** Data of a chart are mapped to marks by the caller. `undefined` in the value: the pointer is over no mark. */
interface PlotFigureProps<Datum> {
  options: Omit<Plot.PlotOptions, 'width'>;
  onPick(datum: Datum): void;
}

/**
 * Draws a chart at the width of its place. A click picks the mark under the pointer. Hidden from screen readers and the
 * keyboard, which the table beside it serves with the same numbers.
 */
export function PlotFigure<Datum>({ options, onPick }: PlotFigureProps<Datum>) {
  const place = useRef<HTMLDivElement>(null);
  const { width } = useSize(place);
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    const element = place.current;
    if (element === null || width === 0) return;
    const plot = Plot.plot({ ...options, width });
    const onClick = () => {
      const { value } = plot as { value?: Datum };
      if (value !== undefined && value !== null) pick(value);
    };
    plot.addEventListener('click', onClick);
    element.replaceChildren(plot);
    return () => plot.remove();
  }, [options, width]);
  return <div ref={place} className={styles.plot} aria-hidden="true" />;
}
