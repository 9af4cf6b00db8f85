import { partner } from "../../shared/edge/auth/authenticate.ts";
import { dateInPath } from "../../shared/contracts/fields.ts";
import { settlementFile, toSettlementFile } from "../../shared/contracts/objects/settlement-file.ts";
import { fileSuccess } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { respondCsv } from "../../shared/edge/http/response.ts";
import {
  closeAndReadSettlement,
  type CloseAndReadSettlementDeps,
} from "../../shared/use-cases/bookings/close-and-read-settlement.ts";

export const settlementFileOfDay = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "settlement-file",
  method: "GET",
  route: "settlements/{date}/file",
  summary: "Read Settlement as a File",
  description:
    "Reads the settlement of a business day as CSV, for spreadsheets and accounting programs. The file of a closed day never changes.",
  parameters: { path: dateInPath },
  readsList: true,
  successes: { 200: fileSuccess("The movements and totals of the day.", settlementFile) },
  handle: async (deps: CloseAndReadSettlementDeps, call) => {
    const { date } = call.parameters;
    return respondCsv({
      name: `settlement-${date}.csv`,
      text: toSettlementFile(await closeAndReadSettlement(deps, call, date)),
    });
  },
});
