import { useEffect, useState } from "preact/hooks";
import { routeOf, type Route } from "./routes.ts";

/** Goes there in place of where the page is: the browser's back does not return to each letter of a filter. */
export const goInstead = (link: string): void => location.replace(link);

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const hear = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", hear);
    return () => removeEventListener("hashchange", hear);
  }, []);
  return route;
}
