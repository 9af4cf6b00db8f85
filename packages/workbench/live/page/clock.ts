import { useEffect, useState } from "preact/hooks";

/** The time in milliseconds since 1970, updated every `everyMs`. It stops while `isWanted` is false. */
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
