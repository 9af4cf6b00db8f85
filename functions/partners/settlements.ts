import { z } from "zod";
import { partner } from "../../shared/auth/authenticate.ts";
import { businessDay } from "../../shared/contracts/fields.ts";
import { settlementFile, toSettlementFile } from "../../shared/contracts/objects/settlement-file.ts";
import { settlementObject, toSettlementObject } from "../../shared/contracts/objects/settlement.ts";
import { successOrFile } from "../../shared/http/contract.ts";
import { defineEndpoint } from "../../shared/http/define-endpoint.ts";
import { respond, respondCsv } from "../../shared/http/response.ts";
import { readSettlement, type ReadSettlementDeps } from "../../shared/use-cases/bookings/read-settlement.ts";

const path = z.object({ date: businessDay.meta({ description: "The day, `2026-11-21`." }) });
const query = z.object({
  format: z
    .enum(["json", "csv"])
    .optional()
    .meta({ description: "`csv` for a file that spreadsheets and accountants' programs read; `json` when left out." }),
});

export const settlements = defineEndpoint({
  auth: partner("payments"),
  name: "settlements",
  method: "GET",
  route: "settlements/{date}",
  summary: "Read Settlement",
  description:
    "Reads every movement of money that is booked under a business day, with totals. The day is closed once its terminals have closed it, or three days after its end: from then on the answer is the same, byte for byte. What comes later is booked under a later day, and names its business day.",
  parameters: { path, query },
  successes: { 200: successOrFile("The books of the day.", settlementObject, settlementFile) },
  handle: async (deps: ReadSettlementDeps, call) => {
    const { date, format } = call.parameters;
    const settlement = await readSettlement(deps, call, date);
    return format === "csv"
      ? respondCsv({ name: `settlement-${date}.csv`, text: toSettlementFile(settlement) })
      : respond(200, toSettlementObject(settlement));
  },
});
