import { z } from "zod";
import { tokenKinds } from "../domain/access-token-template.ts";
import { tokenStates } from "../domain/access-token.ts";
import { actionStates, tokenProblems, type ActionRequest } from "../domain/action-request.ts";
import {
  accessTokenID,
  actionRequestID,
  createdAt,
  instant,
  pointOfServiceID,
  productID,
  sessionID,
} from "./fields.ts";
import { canonical } from "./identifier.ts";

const actionCode = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "What is asked, by a name that you and the terminal's maker agreed on." });
const description = z.string().max(256).meta({ description: "What is asked, for people." });
const data = z
  .record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean()]))
  .meta({ description: "Whatever else the terminal tells." });
const ofPayment = sessionID.optional().meta({ description: "The payment that it belongs to." });

/** An action request as partners see it. */
export const actionRequestObject = z
  .object({
    actionRequestID,
    pointOfServiceID,
    sessionID: ofPayment,
    actionCode,
    description: description.optional(),
    data: data.optional(),
    token: z
      .object({
        accessTokenID,
        kind: z.enum(tokenKinds).meta({ description: "A voucher is spent once; a key opens again and again." }),
        productID,
        validUntil: instant.meta({ description: "Until when it is good." }),
        status: z.enum(tokenStates).meta({ description: "How it stood when it was shown." }),
      })
      .optional()
      .meta({ description: "The voucher or key whose code was shown at the terminal; never the code." }),
    tokenProblem: z.enum(tokenProblems).optional().meta({ description: "Why the code that was shown is nobody's." }),
    status: z.enum(actionStates).meta({ description: "How the action request stands." }),
    createdAt,
    expiresAt: instant.meta({ description: "Until when it can be answered." }),
    response: z
      .object({
        responseCode: z.enum(actionStates).meta({ description: "The answer." }),
        respondedAt: instant.meta({ description: "When it was given." }),
      })
      .optional()
      .meta({ description: "Your answer, once it is given." }),
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
    responseCode: z.enum(["accepted", "declined"]).meta({ description: "The answer." }),
    actionRequestID: actionRequestID
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
    actionRequestID,
    actionCode,
    description: description.optional(),
    data: data.optional(),
    sessionID: ofPayment,
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
