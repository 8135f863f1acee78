import { type RefObject, useEffect, useState } from 'react';
import type { MapSize } from './use-map-window.ts';

/** Size of an element in CSS pixels. */
export function useSize(element: RefObject<HTMLElement | null>): MapSize {
  const [size, setSize] = useState<MapSize>({ width: 0, height: 0 });
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
