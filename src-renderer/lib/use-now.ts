import { useEffect, useState } from 'react';

/** Milliseconds since the epoch, updated every second while needed. */
export function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (!isMoving) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}
