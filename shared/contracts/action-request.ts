import { z } from "zod";
import { tokenKinds } from "../domain/access-token-template.ts";
import { tokenStates } from "../domain/access-token.ts";
import { actionStates, tokenProblems, type ActionRequest } from "../domain/action-request.ts";
import { canonical, identifier } from "./identifier.ts";
import { instant } from "./instant.ts";

const data = z.record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean()]));

/** An action request as partners see it. */
export const actionRequestObject = z
  .object({
    actionRequestID: identifier,
    pointOfServiceID: identifier,
    sessionID: identifier.optional(),
    actionCode: z.string(),
    description: z.string().optional(),
    data: data.optional(),
    token: z
      .object({
        accessTokenID: identifier,
        kind: z.enum(tokenKinds),
        productID: identifier,
        validUntil: instant,
        status: z.enum(tokenStates),
      })
      .optional()
      .meta({ description: "The voucher or key whose code was shown at the terminal; never the code." }),
    tokenProblem: z.enum(tokenProblems).optional(),
    status: z.enum(actionStates),
    createdAt: instant,
    expiresAt: instant,
    response: z.object({ responseCode: z.enum(actionStates), respondedAt: instant }).optional(),
  })
  .meta({ id: "ActionRequest", description: "What a terminal asks while a customer waits." });
export type ActionRequestObject = z.infer<typeof actionRequestObject>;

export const toActionRequestObject = (action: ActionRequest): ActionRequestObject => ({
  actionRequestID: action.spelled.actionRequestId,
  pointOfServiceID: action.spelled.terminalId,
  sessionID: action.sessionId,
  actionCode: action.actionCode,
  description: action.description,
  data: action.data && { ...action.data },
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

/** The body of an answer. The specification's bare `responseCode` suffices where it is plain which request is meant. */
export const actionResponseBody = z
  .object({
    responseCode: z.enum(["accepted", "declined"]),
    actionRequestID: identifier
      .optional()
      .meta({ description: "May be left out where one request is pending, and this apikey has read it." }),
  })
  .meta({ id: "ActionRequestResponse" })
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
    data: data.optional(),
    sessionID: identifier.optional(),
    code: z.string().min(1).max(64).optional().meta({ description: "The code of a voucher or key that was shown." }),
    withdraw: z.boolean().default(false).meta({ description: "Takes the question back." }),
  })
  .meta({ id: "RaisedActionRequest" })
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
