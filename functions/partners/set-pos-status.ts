import { setTerminalStatusBody } from "../../shared/contracts/set-terminal-status.ts";
import { toTerminalStatusObject } from "../../shared/contracts/terminal-status.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { setTerminalStatus, type SetTerminalStatus } from "../../shared/use-cases/set-terminal-status.ts";

/** Sets whether a terminal takes payments; its target is named in the body, else in the query, else the only one of the key. */
export const setPosStatus = (deps: SetTerminalStatus) =>
  partnerFunction({
    name: "set-pos-status",
    method: "PATCH",
    route: "set-pos-status",
    scope: "terminals",
    body: setTerminalStatusBody,
    handle: async ({ caller, body, query }) => {
      const target = body.pointOfServiceID ?? (query.get("pointOfServiceID") || undefined);
      if (target !== undefined && !isIdentifier(target)) return refusal({ code: "terminal_not_found" });
      const status = await setTerminalStatus(deps, caller, body.statusCode, target);
      return status.ok ? answer(200, toTerminalStatusObject(status.value)) : refusal(status.error);
    },
  });
