import type { HttpRequest } from "@azure/functions";
import * as z from "zod";
import { identifier } from "../../../shared/contracts/identifier.ts";
import { parametersReader } from "../../../shared/edge/http/read-parameters.ts";
import type { EndpointResponse } from "../../../shared/edge/http/response.ts";
import type { Bell } from "./bell.ts";
import type { Inbox } from "./inbox.ts";

const pollQuery = z.object({ wait: z.coerce.number().min(0).max(55).optional(), received: identifier.optional() });
const readPoll = parametersReader({ query: pollQuery }, false);

/** How often a waiting poll looks for a message whose lease has ended. */
const LOOK_MS = 1_000;

/** The terminal's polls of its inbox. A new poll ends the one before. */
export function newPolls(inbox: Inbox, changed: Bell) {
  let newestPoll = new AbortController();

  async function poll(request: HttpRequest, gone: AbortSignal): Promise<EndpointResponse> {
    const read = readPoll(request);
    if (!read.ok) return { problem: read.error };
    const { wait = 0, received } = pollQuery.parse(read.value);
    newestPoll.abort();
    newestPoll = new AbortController();
    const ended = AbortSignal.any([gone, newestPoll.signal]);
    const until = performance.now() + wait * 1_000;
    for (;;) {
      if (ended.aborted) return { status: 204 };
      const body = inbox.lease(received?.toLowerCase());
      if (body) return { status: 200, body };
      const left = until - performance.now();
      if (left <= 0) return { status: 204 };
      await changed.next(Math.min(left, LOOK_MS), ended);
    }
  }

  return {
    poll,
    /** Ends the waiting poll with 204, and ends all leases, so that unanswered messages may be handed out again. */
    hangUp(): void {
      newestPoll.abort();
      inbox.endLeases();
    },
  };
}
