import type { ActionRequest } from "../../domain/action-request.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

export type ReadAndNoteActionRequestDeps = Needs<"actionRequests">;

/**
 * Reads one of the caller's action requests, and notes the key as a reader of a pending one. A key that has read the request may respond to
 * it without naming it.
 */
export const readAndNoteActionRequest = (
  deps: ReadAndNoteActionRequestDeps,
  { caller }: PartnerCall,
  idAsReceived: string,
): Promise<Result<ActionRequest, Refusal<"action_request_not_found">>> =>
  retryOnConflict(async () => {
    const actionRequestId = idAsReceived.toLowerCase();
    const found = await deps.actionRequests.find({ partnerId: caller.partnerId, actionRequestId });
    if (!found || !reaches(caller, found.action.terminalId)) return refuse({ code: "action_request_not_found" });
    const { action } = found;
    if (action.status === "pending" && !action.readBy.includes(caller.keyId)) {
      const read = { ...action, readBy: [...action.readBy, caller.keyId] };
      await deps.actionRequests.commit(read, found, undefined);
    }
    return ok(action);
  });
