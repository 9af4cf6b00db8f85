import type { WebhookEvent } from "./events.ts";

/** The filter of the events' list. An empty member does not filter. */
export interface EventFilter {
  /** Text to find in the payment's order or session, or in the `webhook-id`. */
  readonly text: string;
  readonly type: string;
  readonly outcome: string;
}

/** The filter in an address. */
export function filterOf(query: string): EventFilter {
  const words = new URLSearchParams(query);
  const word = (name: keyof EventFilter) => words.get(name) ?? "";
  return { text: word("text"), type: word("type"), outcome: word("outcome") };
}

/** The filter as the query of an address. Empty for all events. */
export const queryOf = ({ text, type, outcome }: EventFilter): string =>
  new URLSearchParams(Object.entries({ text, type, outcome }).filter(([, word]) => word !== "")).toString();

export function eventsLike(events: readonly WebhookEvent[], filter: EventFilter): readonly WebhookEvent[] {
  const { type, outcome } = filter;
  const text = filter.text.trim().toLowerCase();
  return events.filter(
    (event) =>
      (type === "" || event.type === type) &&
      (outcome === "" || event.outcome === outcome) &&
      (text === "" || namesOf(event).some((name) => name?.toLowerCase().includes(text))),
  );
}

const namesOf = ({ id, payment, attempts: [last] }: WebhookEvent) => [id, payment?.orderId, last.sessionId];

/** The types of the events, and the type in the filter, as options. */
export const typesOf = (
  events: readonly WebhookEvent[],
  { type }: EventFilter,
): readonly (readonly [string, string])[] => {
  const types = new Set([...events.map((event) => event.type), ...(type === "" ? [] : [type])]);
  return [...types].toSorted().map((one) => [one, one]);
};
