import { partner } from "../../shared/edge/auth/authenticate.ts";
import { timelineObject, toTimelineObject } from "../../shared/contracts/objects/timeline.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { readTimeline, type ReadTimelineDeps } from "../../shared/use-cases/payments/read-timeline.ts";

export const posPaymentTimeline = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "pos-payment-timeline",
  method: "GET",
  isRead: true,
  route: "pos-payment/{session_id}/timeline",
  summary: "Read Payment Timeline",
  description:
    "Reads everything that happened to a payment: who did it, when, and how long it took, with every attempt of its webhooks.",
  notFound: "payment_not_found",
  problems: ["invalid_state"],
  successes: { 200: success("The payment's history, oldest first.", timelineObject) },
  handle: async (deps: ReadTimelineDeps, call) => {
    const timeline = await readTimeline(deps, call, call.params["session_id"] ?? "");
    return timeline.ok ? respond(200, toTimelineObject(timeline.value)) : refusal(timeline.error);
  },
});
