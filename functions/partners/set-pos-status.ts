import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { identifier } from "../../shared/contracts/identifier.ts";
import { terminalStatusObject, toTerminalStatusObject } from "../../shared/contracts/objects/terminal-status.ts";
import { setTerminalStatusBody } from "../../shared/contracts/requests/set-terminal-status.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { setTerminalStatus, type SetTerminalStatusDeps } from "../../shared/use-cases/terminals/set-terminal-status.ts";

const target = identifier.optional().meta({ description: "The terminal, if the body does not name one." });

export const setPosStatus = defineEndpoint({
  auth: partner("terminals"),
  name: "set-pos-status",
  method: "PATCH",
  route: "set-pos-status",
  summary: "Set POS Status",
  description:
    "Sets whether a terminal takes payments. Name the terminal in the body or in the query. You can omit it if the apikey reaches only one terminal.",
  parameters: { query: z.object({ pointOfServiceID: target }) },
  body: requestBody(setTerminalStatusBody),
  successes: { 200: success("The terminal's new status.", terminalStatusObject) },
  problems: ["terminal_not_found", "target_required"],
  handle: async (deps: SetTerminalStatusDeps, call) => {
    const target = call.body.pointOfServiceID ?? call.parameters.pointOfServiceID;
    const status = await setTerminalStatus(deps, call, call.body.statusCode, target);
    return status.ok ? respond(200, toTerminalStatusObject(status.value)) : refusal(status.error);
  },
});
