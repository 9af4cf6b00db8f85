// The page's place is in its address, after `#`: `#/payments/<partner>/<terminal>/<session>?status=pending`. So a place can be linked, and the
// browser's back button works.

export const places = {
  counter: "Counter",
  payments: "Payments",
  webhooks: "Webhooks",
  mails: "Mails",
  requests: "Requests",
  alerts: "Alerts",
  faults: "Faults",
} as const;
export type Place = keyof typeof places;

export interface Route {
  readonly place: Place;
  /** The chosen item, such as the identifier of a payment or a mail. */
  readonly chosen: string | undefined;
  /** The list's filter, as `name=value&…`. Empty if the list is not filtered. */
  readonly query: string;
}

const isPlace = (word: string): word is Place => Object.hasOwn(places, word);

export function routeOf(hash: string): Route {
  const [path = "", ...query] = hash.split("?");
  const [, word = "", ...rest] = path.split("/");
  const place = isPlace(word) ? word : "counter";
  return { place, chosen: rest.length === 0 ? undefined : rest.map(decoded).join("/"), query: query.join("?") };
}

/** Decodes a part of an address. Returns it unchanged if its encoding is wrong. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function linkTo(place: Place, chosen?: string, query = ""): string {
  const path = chosen === undefined ? [place] : [place, ...chosen.split("/").map(encodeURIComponent)];
  return `#/${path.join("/")}${query === "" ? "" : `?${query}`}`;
}
