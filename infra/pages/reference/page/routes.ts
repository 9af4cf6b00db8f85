// The page's place is in its address, after `#`: `#/guide/retries`, `#/operations/pos-payment-refund`.

export type Place = "guide" | "operations";

export interface Route {
  readonly place: Place;
  /** A section of the guide, or an operation or webhook by its identifier. */
  readonly chosen: string;
}

export function routeOf(hash: string): Route {
  const [, word = "", chosen = ""] = hash.split("/");
  return word === "operations" ? { place: word, chosen } : { place: "guide", chosen: word === "guide" ? chosen : "" };
}

export const linkTo = (place: Place, chosen = ""): string => `#/${place}${chosen === "" ? "" : `/${chosen}`}`;
