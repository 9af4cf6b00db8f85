import { partner } from "../../shared/edge/auth/authenticate.ts";
import { terminalStatusObject, toTerminalStatusObject } from "../../shared/contracts/objects/terminal-status.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import {
  readTerminalStatus,
  type ReadTerminalStatusDeps,
} from "../../shared/use-cases/terminals/read-terminal-status.ts";

export const posStatus = defineEndpoint({
  auth: partner("terminals", "reports"),
  name: "pos-status",
  method: "GET",
  isRead: true,
  route: "pointOfServices/{point_of_service_id}/pos-status",
  summary: "POS Status",
  description: "Reads whether a terminal is online and can take a payment.",
  notFound: "terminal_not_found",
  successes: { 200: success("The terminal's current status.", terminalStatusObject) },
  handle: async (deps: ReadTerminalStatusDeps, call) => {
    const status = await readTerminalStatus(deps, call, call.params["point_of_service_id"] ?? "");
    return status.ok ? respond(200, toTerminalStatusObject(status.value)) : refusal(status.error);
  },
});
