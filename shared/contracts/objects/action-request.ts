import { z } from "zod";
import { tokenKinds } from "../../domain/access-token-template.ts";
import { tokenStates } from "../../domain/access-token.ts";
import { actionStates, tokenProblems, type ActionRequest } from "../../domain/action-request.ts";
import {
  accessTokenID,
  actionCode,
  actionData,
  actionDescription,
  actionRequestID,
  createdAt,
  instant,
  pointOfServiceID,
  productID,
  sessionOfAction,
} from "../fields.ts";

/** An action request as partners see it. */
export const actionRequestObject = z
  .object({
    actionRequestID,
    pointOfServiceID,
    sessionID: sessionOfAction,
    actionCode,
    description: actionDescription.optional(),
    data: actionData.optional(),
    token: z
      .object({
        accessTokenID,
        kind: z.enum(tokenKinds).meta({ description: "A voucher is spent once; a key opens again and again." }),
        productID,
        validUntil: instant.meta({ description: "Until when it is good." }),
        status: z.enum(tokenStates).meta({ description: "How it stood when it was shown." }),
        statusText: z
          .string()
          .optional()
          .meta({ description: "The same as a sentence to read out, where it is not `active`." }),
      })
      .optional()
      .meta({ description: "The voucher or key whose code was shown at the terminal; never the code." }),
    tokenProblem: z
      .enum(tokenProblems)
      .optional()
      .meta({ description: "Why the code that was shown names no voucher or key." }),
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
  actionRequestID: action.asReceived.actionRequestId,
  pointOfServiceID: action.asReceived.terminalId,
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
    statusText: action.token.statusText,
  },
  tokenProblem: action.tokenProblem,
  status: action.status,
  createdAt: action.createdAt,
  expiresAt: action.expiresAt,
  response:
    action.respondedAt === undefined ? undefined : { responseCode: action.status, respondedAt: action.respondedAt },
});
