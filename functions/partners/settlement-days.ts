import { partner } from "../../shared/edge/auth/authenticate.ts";
import {
  settlementDaysObject,
  settlementDaysQuery,
  toSettlementDay,
} from "../../shared/contracts/objects/settlement-days.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { refusal, respond } from "../../shared/edge/http/response.ts";
import { listSettlements, type ListSettlementsDeps } from "../../shared/use-cases/bookings/list-settlements.ts";

export const settlementDays = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "settlement-days",
  method: "GET",
  isRead: true,
  route: "settlements",
  summary: "List Settlements",
  description:
    "Lists the business days that have movements of money, with their status, and the totals of closed days.",
  parameters: { query: settlementDaysQuery },
  readsList: true,
  successes: { 200: success("The days with a settlement.", settlementDaysObject) },
  handle: async (deps: ListSettlementsDeps, call) => {
    const days = await listSettlements(deps, call, call.parameters);
    return days.ok ? respond(200, { settlements: days.value.map(toSettlementDay) }) : refusal(days.error);
  },
});
