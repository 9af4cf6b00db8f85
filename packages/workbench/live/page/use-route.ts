import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { linkTo, routeOf, type Place, type Route } from "./routes.ts";

/** Replaces the current address, so that the browser's back button does not return to each letter of a filter. */
export const goInstead = (link: string): void => location.replace(link);

export const useRoute = (): Route => useHash(routeOf);

const choices = new Map<Place, string | undefined>();

/** Chooses a view's former item again when a person returns to the view from another one. */
export function useKeptChoice(place: Place, chosen: string | undefined): void {
  useLayoutEffect(() => {
    const former = choices.get(place);
    if (chosen === undefined && former !== undefined) goInstead(linkTo(place, former));
  }, []);
  useEffect(() => void choices.set(place, chosen), [chosen]);
}

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
