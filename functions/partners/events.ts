import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { eventPageObject, numberIn, toEventPage } from "../../shared/contracts/events/event-page.ts";
import { invalidField } from "../../shared/domain/refusal.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { refusal, respond } from "../../shared/edge/http/response.ts";
import { reaches } from "../../shared/use-cases/caller.ts";
import { readFeed, type ReadFeedDeps } from "../../shared/use-cases/feed/read-feed.ts";

/** The longest wait of a call for an event, in seconds. */
const LONGEST_WAIT_SECONDS = 20;
const MOST_EVENTS = 100;

const query = z.object({
  after: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "`next` of the previous call. Without it, the oldest kept event comes first." }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_EVENTS)
    .optional()
    .meta({ description: `The maximum number of events on the page. ${MOST_EVENTS} by default.` }),
  wait: z.coerce
    .number()
    .min(0)
    .max(LONGEST_WAIT_SECONDS)
    .optional()
    .meta({ description: "Seconds to wait for an event if there is none. 0 by default." }),
});

export const events = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "events",
  method: "GET",
  route: "events",
  summary: "Read Events",
  description:
    "Reads events in one order: those that were or will be sent as webhooks, delivered or not, and your own cancels, captures, refunds and discounts, which are not sent. A reader that follows `next` gets every event once, and needs no webhooks. Events are kept for 35 days.",
  parameters: { query },
  problems: ["cursor_expired"],
  successes: { 200: success("The next events. Empty if there are no further events yet.", eventPageObject) },
  waitsSeconds: LONGEST_WAIT_SECONDS,
  handle: async (deps: ReadFeedDeps, call) => {
    const { after, limit = MOST_EVENTS, wait = 0 } = call.parameters;
    const number = after === undefined ? undefined : numberIn(after);
    if (after !== undefined && number === undefined)
      return refusal(invalidField("after", "invalid", "must be the `next` of an earlier response."));
    const page = await readFeed(deps, call, { number, atMost: limit, waitSeconds: wait });
    return page.ok
      ? respond(
          200,
          toEventPage(page.value, (terminalId) => reaches(call.caller, terminalId)),
        )
      : refusal(page.error);
  },
});
