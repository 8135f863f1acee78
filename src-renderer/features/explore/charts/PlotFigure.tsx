import * as Plot from '@observablehq/plot';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useSize } from '../map/use-size.ts';
import styles from './Charts.module.css';

/** Data of a chart are mapped to marks by the caller. `undefined` in the value: the pointer is over no mark. */
interface PlotFigureProps<Datum> {
  label: string;
  options: Omit<Plot.PlotOptions, 'width'>;
  onPick(datum: Datum): void;
}

/** Draws a chart at the width of its place. A click picks the mark under the pointer. The table beside it serves the keyboard. */
export function PlotFigure<Datum>({ label, options, onPick }: PlotFigureProps<Datum>) {
  const place = useRef<HTMLDivElement>(null);
  const { width } = useSize(place);
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    const element = place.current;
    if (element === null || width === 0) return;
    const plot = Plot.plot({ ...options, width, ariaLabel: label });
    plot.setAttribute('role', 'img');
    const onClick = () => {
      const { value } = plot as { value?: Datum };
      if (value !== undefined && value !== null) pick(value);
    };
    plot.addEventListener('click', onClick);
    element.replaceChildren(plot);
    return () => plot.remove();
  }, [options, width, label]);
  return <div ref={place} className={styles.plot} />;
}
