import type { ActionRequestObject } from "../../../shared/contracts/objects/action-request.ts";
import { raisedActionBody } from "../../../shared/contracts/requests/raise-action-request.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { readThrough } from "../../../shared/edge/http/read-through.ts";
import type { EndpointResponse } from "../../../shared/edge/http/response.ts";

/** The action requests of one terminal. A repeated request is a replay. */
export function newActionRequests(pointOfServiceID: string, now: () => Instant) {
  const raised = new Map<string, ActionRequestObject>();
  return {
    raise(sent: unknown, isKnown: (sessionId: string) => boolean): EndpointResponse {
      const read = readThrough(raisedActionBody, sent);
      if (!read.ok) return { problem: read.error };
      const { actionRequestId, idAsReceived, actionCode, description, data, sessionId } = read.value;
      if (sessionId !== undefined && !isKnown(sessionId)) return { problem: { code: "payment_not_found" } };
      const before = raised.get(actionRequestId);
      if (before && before.actionCode !== actionCode) return { problem: { code: "idempotency_mismatch" } };
      const createdAt = now();
      const body: ActionRequestObject = before ?? {
        actionRequestID: idAsReceived,
        pointOfServiceID,
        sessionID: sessionId,
        actionCode,
        description,
        data,
        status: "pending",
        createdAt,
        expiresAt: after(createdAt, standardTimings.actionSeconds),
      };
      raised.set(actionRequestId, body);
      return { status: 202, body, replayed: before !== undefined };
    },
    /** In the order in which they were raised. */
    all: (): readonly ActionRequestObject[] => [...raised.values()],
  };
}
