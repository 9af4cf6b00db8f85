import { toTimelineObject } from "../../shared/contracts/timeline.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { readTimeline, type ReadTimeline } from "../../shared/use-cases/read-timeline.ts";

/** Reads everything that happened to a payment: who, when, how long it took, and how its webhooks fared. */
export const posPaymentTimeline = (deps: ReadTimeline) =>
  partnerFunction({
    name: "pos-payment-timeline",
    method: "GET",
    route: "pos-payment/{session_id}/timeline",
    scope: "payments",
    notFound: "payment_not_found",
    handle: async ({ caller, params }) => {
      const timeline = await readTimeline(deps, caller, params["session_id"] ?? "");
      return timeline.ok ? answer(200, toTimelineObject(timeline.value)) : refusal(timeline.error);
    },
  });
