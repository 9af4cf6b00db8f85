// The page's place is in its address, after `#`: `#/guide/retries`, `#/operations/pos-payment-refund/amount`.

export type Place = "guide" | "operations";

export interface Route {
  readonly place: Place;
  /** A section of the guide, or an operation or webhook by its identifier. */
  readonly chosen: string;
  /** A member of the operation or webhook, by its path. Empty if none is sought. */
  readonly member: string;
}

export function routeOf(hash: string): Route {
  const [, word = "", chosen = "", member = ""] = hash.split("/");
  if (word === "operations") return { place: word, chosen, member };
  return { place: "guide", chosen: word === "guide" ? chosen : "", member: "" };
}

export const linkTo = (place: Place, ...within: readonly string[]): string =>
  `#/${[place, ...within.filter((part) => part !== "")].join("/")}`;
