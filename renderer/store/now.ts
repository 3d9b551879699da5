import { useEffect, useState } from 'react';

/** The time now, again every `everyMs`; stands still while `isMoving` is false. */
export function useNow(everyMs: number, isMoving = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isMoving]);
  return now;
}
