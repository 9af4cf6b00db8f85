import { useEffect, useState } from "preact/hooks";
import { routeOf, type Route } from "./routes.ts";

/** Replaces the current address, so that the browser's back button does not return to each letter of a filter. */
export const goInstead = (link: string): void => location.replace(link);

export const useRoute = (): Route => useHash(routeOf);

/** The part of the page's address after `#`, parsed by `read`. */
export function useHash<Read>(read: (hash: string) => Read): Read {
  const [now, setNow] = useState(() => read(location.hash));
  useEffect(() => {
    const listener = () => setNow(() => read(location.hash));
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return now;
}
