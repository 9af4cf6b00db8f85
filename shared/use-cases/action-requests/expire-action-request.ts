import { endAction } from "../../domain/action-request.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { ActionKey } from "../../ports/subjects.ts";
import { commitAction, type CommitActionDeps } from "./commit-action.ts";

/**
 * Ends an action request that got no response in time, and notifies the terminal and the partner. Does nothing if the request has ended.
 */
export async function expireActionRequest(deps: CommitActionDeps, call: CallContext, key: ActionKey): Promise<"done"> {
  const found = await deps.actionRequests.find(key);
  const change = found && endAction(found.action, "expired", call.now());
  if (change) await commitAction(deps, call, change, found);
  return "done";
}
