import { Slider as Primitive } from 'radix-ui';
import styles from './Slider.module.css';

interface SliderProps {
  label: string;
  min: number;
  max: number;
  step?: number;
  value: number;
  onChange(value: number): void;
  /** Value in words, for screen readers. */
  valueText?: string;
  /** Marks every step on the track. */
  ticks?: boolean;
  width?: number;
  testId?: string;
}

export function Slider({ label, min, max, step = 1, value, onChange, valueText, ticks, width, testId }: SliderProps) {
  const steps = ticks === true ? Array.from({ length: (max - min) / step + 1 }, (_, at) => min + at * step) : [];
  return (
    <Primitive.Root
      className={styles.slider}
      style={{ width: width ?? 96 }}
      min={min}
      max={max}
      step={step}
      value={[value]}
      onValueChange={([next]) => next !== undefined && onChange(next)}
      data-testid={testId}
    >
      <Primitive.Track className={styles.track}>
        {steps.map((at) => (
          <span key={at} className={styles.tick} style={{ left: `${((at - min) / (max - min)) * 100}%` }} />
        ))}
      </Primitive.Track>
      <Primitive.Thumb className={styles.thumb} aria-label={label} aria-valuetext={valueText} />
    </Primitive.Root>
  );
}
