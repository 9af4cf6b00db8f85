import { z } from "zod";
import type { ActionRequest } from "../domain/action-request.ts";
import { canonical, identifier } from "./identifier.ts";

/** An action request as partners see it. */
export const toActionRequestObject = (action: ActionRequest) => ({
  actionRequestID: action.spelled.actionRequestId,
  pointOfServiceID: action.spelled.terminalId,
  sessionID: action.sessionId,
  actionCode: action.actionCode,
  description: action.description,
  data: action.data,
  token: action.token && {
    accessTokenID: action.token.tokenId,
    kind: action.token.kind,
    productID: action.token.productId,
    validUntil: action.token.validUntil,
    status: action.token.status,
  },
  tokenProblem: action.tokenProblem,
  status: action.status,
  createdAt: action.createdAt,
  expiresAt: action.expiresAt,
  response:
    action.respondedAt === undefined ? undefined : { responseCode: action.status, respondedAt: action.respondedAt },
});
export type ActionRequestObject = ReturnType<typeof toActionRequestObject>;

/** The body of an answer. The specification's bare `responseCode` suffices where it is plain which request is meant. */
export const actionResponseBody = z
  .object({ responseCode: z.enum(["accepted", "declined"]), actionRequestID: identifier.optional() })
  .transform(({ responseCode, actionRequestID }) => ({
    responseCode,
    actionRequestId: actionRequestID === undefined ? undefined : canonical(actionRequestID),
  }));

/** What a terminal asks, or takes back with `withdraw: true`. */
export const raisedActionBody = z
  .object({
    actionRequestID: identifier,
    actionCode: z.string().min(1).max(64),
    description: z.string().max(256).optional(),
    data: z.record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean()])).optional(),
    sessionID: identifier.optional(),
    code: z.string().min(1).max(64).optional(),
    withdraw: z.boolean().default(false),
  })
  .transform((body) => ({
    actionRequestId: canonical(body.actionRequestID),
    spelledId: body.actionRequestID,
    actionCode: body.actionCode,
    description: body.description,
    data: body.data,
    sessionId: body.sessionID === undefined ? undefined : canonical(body.sessionID),
    code: body.code,
    withdraw: body.withdraw,
  }));
