import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { businessDay } from "../../shared/contracts/fields.ts";
import { terminalDayObject, toTerminalDayObject } from "../../shared/contracts/objects/terminal-day.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { readDay, type ReadDayDeps } from "../../shared/use-cases/terminal-days/read-day.ts";

export const posDay = defineEndpoint({
  auth: partner("terminals", "reports"),
  name: "pos-day",
  method: "GET",
  isRead: true,
  route: "pointOfServices/{point_of_service_id}/days/{date}",
  summary: "POS Day",
  description:
    "Reads a terminal's business day: the terminal's totals, the platform's books, and whether they are equal.",
  parameters: { path: z.object({ date: businessDay }) },
  notFound: "terminal_not_found",
  successes: { 200: success("The day's current state.", terminalDayObject) },
  handle: async (deps: ReadDayDeps, call) => {
    const { point_of_service_id: terminalId = "" } = call.params;
    const read = await readDay(deps, call, terminalId, call.parameters.date);
    return read.ok ? respond(200, toTerminalDayObject(read.value)) : refusal(read.error);
  },
});
