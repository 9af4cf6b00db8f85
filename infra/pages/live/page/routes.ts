// The page's place is in its address, behind `#`: `#/payments/<partner>/<session>?status=pending`. A place can be linked, and the browser's
// own back works.

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
  /** What is chosen there: the identifier of a payment, of a mail. */
  readonly chosen: string | undefined;
  /** What the list there is narrowed to, as `name=value&…`; empty where it is whole. */
  readonly query: string;
}

const isPlace = (word: string): word is Place => Object.hasOwn(places, word);

export function routeOf(hash: string): Route {
  const [path = "", ...query] = hash.split("?");
  const [, word = "", ...rest] = path.split("/");
  const place = isPlace(word) ? word : "counter";
  return { place, chosen: rest.length === 0 ? undefined : rest.map(decoded).join("/"), query: query.join("?") };
}

/** A part of an address; as it stands where it is encoded wrongly. */
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
