import { partner } from "../../shared/edge/auth/authenticate.ts";
import { dateInPath } from "../../shared/contracts/fields.ts";
import {
  linesOf,
  settlementObject,
  settlementQuery,
  toSettlementObject,
} from "../../shared/contracts/objects/settlement.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { refusal, respond } from "../../shared/edge/http/response.ts";
import { readSettlement, type ReadSettlementDeps } from "../../shared/use-cases/bookings/read-settlement.ts";

export const settlements = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "settlements",
  method: "GET",
  isRead: true,
  route: "settlements/{date}",
  summary: "Read Settlement",
  description:
    "Reads every movement of money of a business day, with totals. The day is closed when its terminals have closed it, or three days after its end. A closed day never changes. Later movements are booked under a later day, and name their business day. A settlement of more than 5,000 movements is read page by page.",
  parameters: { path: dateInPath, query: settlementQuery },
  readsList: true,
  successes: { 200: success("The movements and totals of the day, or a page of them.", settlementObject) },
  handle: async (deps: ReadSettlementDeps, call) => {
    const page = await readSettlement(deps, call, linesOf(call.parameters), call.parameters);
    return page.ok ? respond(200, toSettlementObject(page.value)) : refusal(page.error);
  },
});
