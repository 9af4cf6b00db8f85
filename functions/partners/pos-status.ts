import { toTerminalStatusObject } from "../../shared/contracts/terminal-status.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { readTerminalStatus, type ReadTerminalStatus } from "../../shared/use-cases/read-terminal-status.ts";

/** Tells whether a terminal is there and can take a payment. */
export const posStatus = (deps: ReadTerminalStatus) =>
  partnerFunction({
    name: "pos-status",
    method: "GET",
    route: "pointOfServices/{point_of_service_id}/pos-status",
    scope: "terminals",
    notFound: "terminal_not_found",
    handle: async ({ caller, params }) => {
      const status = await readTerminalStatus(deps, caller, params["point_of_service_id"] ?? "");
      return status.ok ? answer(200, toTerminalStatusObject(status.value)) : refusal(status.error);
    },
  });
