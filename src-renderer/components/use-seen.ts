import { type RefCallback, useCallback, useState } from 'react';

/** Whether an element has been scrolled into view, to load its data only then. */
export function useSeen(): [ref: RefCallback<Element>, seen: boolean] {
  const [seen, setSeen] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, seen];
}
