import * as z from "zod";
import { anyEvent } from "./events.ts";
import { canonical } from "../identifier.ts";

/** A page of a partner's events. */
export const eventPageObject = z
  .object({
    events: z
      .array(anyEvent)
      .meta({ description: "In the order of the feed. An event that is also a webhook has the same body there." }),
    next: z.string().meta({
      description: "The `after` of the next call. Store it when you have processed these events. It is opaque.",
    }),
  })
  .meta({ id: "EventPage", description: "The next events of the feed, oldest first." });
export type EventPageObject = z.infer<typeof eventPageObject>;

/**
 * The page as a key sees it, without events of terminals that the key does not reach. An event of the whole partner is only for a key that
 * reaches all. Each event has the same text as its webhook's body, because `sentJson` wrote that body too.
 */
export const toEventPage = (
  { events: found, next }: { readonly events: readonly { readonly body: string }[]; readonly next: number },
  reaches: (terminalId: string | undefined) => boolean,
): EventPageObject => ({
  events: found
    .map(({ body }) => JSON.parse(body) as z.infer<typeof anyEvent>)
    .filter(({ data }) => reaches(data.pointOfServiceID && canonical(data.pointOfServiceID))),
  next: cursorOf(next),
});

const FORM = /^e1-(0|[1-9][0-9]{0,14})$/;

/** A number of the feed as callers see it: an opaque text that they keep and send back. */
const cursorOf = (number: number): string => Buffer.from(`e1-${number}`).toString("base64url");

/** The number in a cursor. Undefined for a text that no response has contained. */
export function numberIn(cursor: string): number | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  const [, number] = FORM.exec(text) ?? [];
  return number !== undefined && cursorOf(Number(number)) === cursor ? Number(number) : undefined;
}
