import { terminal } from "../../shared/edge/auth/authenticate.ts";
import { totalsRecorded } from "../../shared/contracts/objects/totals-recorded.ts";
import { dayTotalsBody, sentDayTotals } from "../../shared/contracts/requests/day-totals.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { recordTotals, type RecordTotalsDeps } from "../../shared/use-cases/terminal-days/record-totals.ts";

export const dayTotals = defineEndpoint({
  auth: terminal,
  name: "day-totals",
  method: "POST",
  route: "day-totals",
  summary: "Day Totals",
  description:
    "Closes a terminal's business day with the terminal's totals. The platform compares them with its books. Send corrected totals under a new `closingID`. The latest closing counts.",
  body: requestBody(dayTotalsBody, sentDayTotals),
  successes: { 200: success("The totals are stored, and will be compared.", totalsRecorded) },
  replays: true,
  problems: ["idempotency_mismatch"],
  handle: async (deps: RecordTotalsDeps, call) => {
    const recorded = await recordTotals(deps, call, call.body);
    if (!recorded.ok) return refusal(recorded.error);
    const { replayed } = recorded.value;
    return respond(200, { closingID: call.body.idAsReceived, recorded: true } as const, replayed);
  },
});
