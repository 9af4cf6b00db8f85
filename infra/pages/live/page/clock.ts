import { useEffect, useState } from "preact/hooks";

/** The time in milliseconds since 1970, anew each `everyMs`; it stands still while it is not wanted. */
export function useNow(everyMs: number, isWanted = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isWanted) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isWanted]);
  return now;
}
