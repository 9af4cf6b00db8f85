import * as z from "zod";
import type { ActionRequest } from "../../domain/action-request.ts";
import {
  accessTokenID,
  actionCode,
  actionDescription,
  actionRequestID,
  createdAt,
  instant,
  pointOfServiceID,
  productID,
  sessionOfAction,
} from "../fields.ts";
import { values } from "../values.ts";

const actionStatus = values("ActionRequestStatus", "The action request's status.", {
  pending: "It has no response yet.",
  accepted: "You accepted it.",
  declined: "You declined it.",
  expired: "There was no response in time.",
  cancelled: "The terminal withdrew it.",
});

/** The type is open. Generators make a class of a union of texts, numbers and booleans, and that class cannot read any of them. */
const shownData = z.record(z.string(), z.unknown()).meta({
  description: "Further texts, numbers, `true` and `false`, each under a name that the terminal chose.",
});

const shownToken = z
  .object({
    accessTokenID,
    kind: values("AccessTokenKind", "The kind of token.", {
      voucher: "It can be used once.",
      key: "It can be used repeatedly.",
    }),
    productID,
    validUntil: instant.meta({ description: "The end of its validity." }),
    status: values("AccessTokenStatus", "The status when it was shown.", {
      active: "It can be used.",
      reserved: "A running payment holds it.",
      redeemed: "It was spent.",
      revoked: "An operator revoked it.",
      expired: "Its validity ended.",
    }),
    statusText: z
      .string()
      .optional()
      .meta({ description: "The status as a sentence to read to the customer, if it is not `active`." }),
  })
  .meta({
    id: "ShownToken",
    description: "The voucher or key that was shown at the terminal, without its code.",
  });

/** An action request as partners see it. */
export const actionRequestObject = z
  .object({
    actionRequestID,
    pointOfServiceID,
    sessionID: sessionOfAction,
    actionCode,
    description: actionDescription.optional(),
    data: shownData.optional(),
    token: shownToken.optional(),
    tokenProblem: values("TokenProblem", "The reason if the shown code does not belong to a voucher or key.", {
      codeMistyped: "The check symbol is wrong, so the code was mistyped.",
      codeUnknown: "There is no such voucher or key.",
    }).optional(),
    status: actionStatus,
    createdAt,
    expiresAt: instant.meta({ description: "The time until which you can answer." }),
    response: z
      .object({
        responseCode: actionStatus,
        respondedAt: instant.meta({ description: "The time of the response." }),
      })
      .meta({ id: "GivenResponse", description: "Your response." })
      .optional(),
  })
  .meta({ id: "ActionRequest", description: "A terminal's question while a customer waits." });
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
