import * as z from "zod";
import { tokenKinds } from "./access-token-template.ts";
import { tokenStates } from "./access-token.ts";
import type { Effect } from "./effects.ts";
import type { RecordOf } from "./record.ts";
import { after, uncheckedInstant, type Instant } from "./time.ts";
import type { Timings } from "./timings.ts";

const actionStates = ["pending", "accepted", "declined", "expired", "cancelled"] as const;
export type ActionState = (typeof actionStates)[number];

/** A voucher or key, as it was when its code was shown at a terminal. */
const shownTokenRecord = z.object({
  tokenId: z.string(),
  kind: z.enum(tokenKinds),
  productId: z.string(),
  validUntil: uncheckedInstant,
  status: z.enum(tokenStates),
  /** Why it is of no use, as a sentence to read out. Absent for an active token. */
  statusText: z.string().optional(),
});
export interface ShownToken extends RecordOf<typeof shownTokenRecord> {}

/** Why a code that was shown names no token. */
const tokenProblems = ["codeMistyped", "codeUnknown"] as const;
export type TokenProblem = (typeof tokenProblems)[number];

/** A terminal's request that the partner's server decides while a customer waits, such as to open this gate or accept this membership. */
export const actionRequestRecord = z.object({
  actionRequestId: z.string(),
  partnerId: z.string(),
  terminalId: z.string(),
  /** Identifiers as received from the caller. */
  asReceived: z.object({ actionRequestId: z.string(), terminalId: z.string() }),
  /** The session of the payment that it belongs to, as received from the partner. */
  sessionId: z.string().optional(),
  actionCode: z.string(),
  description: z.string().optional(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  webhookUrl: z.string().optional(),
  /** The token of the code that the terminal sent. The code itself is not passed on. */
  token: shownTokenRecord.optional(),
  tokenProblem: z.enum(tokenProblems).optional(),
  status: z.enum(actionStates),
  respondedAt: uncheckedInstant.optional(),
  /** The keys that have read it. Only these may respond to it without naming it. */
  readBy: z.array(z.string()),
  sequence: z.int(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
  expiresAt: uncheckedInstant,
});
export interface ActionRequest extends RecordOf<typeof actionRequestRecord> {}

export type RaisedAction = Pick<
  ActionRequest,
  | "actionRequestId"
  | "asReceived"
  | "terminalId"
  | "partnerId"
  | "sessionId"
  | "actionCode"
  | "description"
  | "data"
  | "webhookUrl"
  | "token"
  | "tokenProblem"
>;

export interface ActionChange {
  readonly action: ActionRequest;
  readonly effects: readonly Effect<"actionRequest">[];
}

/** A new action request. Its effects notify the partner and set the deadline for the response. */
export function raiseAction(raised: RaisedAction, now: Instant, timings: Timings): ActionChange {
  const expiresAt = after(now, timings.actionSeconds);
  const times = { createdAt: now, updatedAt: now, expiresAt };
  return {
    action: { ...raised, status: "pending", readBy: [], sequence: 1, ...times },
    effects: [
      { kind: "webhook", type: "actionRequest.created" },
      { kind: "deadline", deadline: "action", due: expiresAt },
    ],
  };
}

export const actionHasEnded = ({ status }: ActionRequest): boolean => status !== "pending";

/**
 * Ends a pending request and sends the outcome to the terminal as a message, unless the terminal withdrew it. The first ending wins:
 * undefined if the request has already ended.
 */
export function endAction(
  action: ActionRequest,
  status: Exclude<ActionState, "pending">,
  now: Instant,
): ActionChange | undefined {
  if (action.status !== "pending") return undefined;
  const sequence = action.sequence + 1;
  const message = {
    type: "actionAnswer",
    actionRequestId: action.asReceived.actionRequestId,
    responseCode: status,
  } as const;
  const outcome: Effect<"actionRequest"> = { kind: "message", message };
  const respondedAt = status === "accepted" || status === "declined" ? now : undefined;
  return {
    action: { ...action, status, respondedAt, sequence, updatedAt: now },
    effects: [
      ...(status === "cancelled" ? [] : [outcome]), // the terminal withdrew it, and needs no message
      ...(status === "expired" ? [{ kind: "webhook", type: "actionRequest.expired" } as const] : []),
    ],
  };
}
