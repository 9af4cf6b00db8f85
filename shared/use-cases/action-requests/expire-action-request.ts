import { endAction } from "../../domain/action-request.ts";
import { commitAction, type CommitActionDeps } from "./commit-action.ts";
import type { ActionKey } from "../../ports/subjects.ts";

/** Nobody answered in time: the terminal and the partner are told. Does nothing where somebody did. */
export async function expireActionRequest(deps: CommitActionDeps, key: ActionKey): Promise<"done"> {
  const found = await deps.actionRequests.find(key);
  const change = found && endAction(found.action, "expired", deps.clock.now());
  if (change) await commitAction(deps, change, found);
  return "done";
}
