import { partner } from "../../shared/edge/auth/authenticate.ts";
import { dateInPath } from "../../shared/contracts/fields.ts";
import { linesOf, settlementQuery } from "../../shared/contracts/objects/settlement.ts";
import { settlementFile, toSettlementFile } from "../../shared/contracts/objects/settlement-file.ts";
import { fileSuccess } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { refusal, respondCsv } from "../../shared/edge/http/response.ts";
import { readSettlement, type ReadSettlementDeps } from "../../shared/use-cases/bookings/read-settlement.ts";

export const settlementFileOfDay = defineEndpoint({
  auth: partner("payments", "reports"),
  name: "settlement-file",
  method: "GET",
  isRead: true,
  route: "settlements/{date}/file",
  summary: "Read Settlement as a File",
  description:
    "Reads the settlement of a business day as CSV, for spreadsheets and accounting programs. The file of a closed day never changes. A settlement of more than 5,000 movements is read page by page: follow the link `next`.",
  parameters: { path: dateInPath, query: settlementQuery },
  readsList: true,
  successes: { 200: fileSuccess("The movements and totals of the day, or a page of them.", settlementFile) },
  handle: async (deps: ReadSettlementDeps, call) => {
    const page = await readSettlement(deps, call, linesOf(call.parameters), call.parameters);
    if (!page.ok) return refusal(page.error);
    const { date, ...query } = call.parameters;
    const { next: after } = page.value;
    return respondCsv({
      name: `settlement-${date}.csv`,
      text: toSettlementFile(page.value),
      next: after === undefined ? undefined : { ...query, after },
    });
  },
});
