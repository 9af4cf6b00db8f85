import { useEffect, useState } from "preact/hooks";
import { routeOf, type Route } from "./routes.ts";

/** Goes there in place of where the page is: the browser's back does not return to each letter of a filter. */
export const goInstead = (link: string): void => location.replace(link);

export const useRoute = (): Route => useHash(routeOf);

/** What stands behind `#` in the page's address, as `read` understands it. */
export function useHash<Read>(read: (hash: string) => Read): Read {
  const [now, setNow] = useState(() => read(location.hash));
  useEffect(() => {
    const hear = () => setNow(() => read(location.hash));
    addEventListener("hashchange", hear);
    return () => removeEventListener("hashchange", hear);
  }, []);
  return now;
}
