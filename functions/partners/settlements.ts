import { partner } from "../../shared/edge/auth/authenticate.ts";
import { dateInPath } from "../../shared/contracts/fields.ts";
import { settlementObject, toSettlementObject } from "../../shared/contracts/objects/settlement.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { respond } from "../../shared/edge/http/response.ts";
import {
  closeAndReadSettlement,
  type CloseAndReadSettlementDeps,
} from "../../shared/use-cases/bookings/close-and-read-settlement.ts";

export const settlements = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "settlements",
  method: "GET",
  route: "settlements/{date}",
  summary: "Read Settlement",
  description:
    "Reads every movement of money of a business day, with totals. The day is closed when its terminals have closed it, or three days after its end. A closed day never changes. Later movements are booked under a later day, and name their business day.",
  parameters: { path: dateInPath },
  readsList: true,
  successes: { 200: success("The movements and totals of the day.", settlementObject) },
  handle: async (deps: CloseAndReadSettlementDeps, call) =>
    respond(200, toSettlementObject(await closeAndReadSettlement(deps, call, call.parameters.date))),
});
