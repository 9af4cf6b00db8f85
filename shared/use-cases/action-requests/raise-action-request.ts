import { tokenState, whyUnavailable } from "../../domain/access-token.ts";
import { endAction, raiseAction, type ActionRequest, type RaisedAction } from "../../domain/action-request.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { StoredAction } from "../../stores/action-requests.ts";
import type { TerminalCall } from "../caller.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { currentToken, findToken, type FindTokenDeps } from "../vouchers/find-token.ts";
import { commitAction, type CommitActionDeps } from "./commit-action.ts";
import type { Needs } from "../needs.ts";

export type RaiseActionRequestDeps = CommitActionDeps & FindTokenDeps & Needs<"payments" | "timings">;

export interface RaiseInput {
  readonly actionRequestId: string;
  readonly idAsReceived: string;
  readonly actionCode: string;
  readonly description?: string | undefined;
  readonly data?: ActionRequest["data"];
  readonly sessionId?: string | undefined;
  /** The code of a voucher or key that a customer showed. */
  readonly code?: string | undefined;
  readonly withdraw: boolean;
}

export interface RaiseResult {
  readonly action: ActionRequest;
  readonly replayed: boolean;
}

type RaiseRefusal = "idempotency_mismatch" | "action_request_not_found" | "payment_not_found";

/**
 * Raises a terminal's action request to the partner's server, or withdraws it. Repeating a request is a replay. A terminal can withdraw
 * only its own requests. Withdrawing another terminal's request is refused as if that request did not exist.
 */
export const raiseActionRequest = (
  deps: RaiseActionRequestDeps,
  call: TerminalCall,
  input: RaiseInput,
): Promise<Result<RaiseResult, Refusal<RaiseRefusal>>> =>
  retryOnConflict(async () => {
    const { partnerId, terminalId } = call.caller.terminal;
    const found = await deps.actionRequests.find({ partnerId, actionRequestId: input.actionRequestId });
    const isAnothers = found?.action.terminalId !== terminalId;
    if (input.withdraw && isAnothers) return refuse({ code: "action_request_not_found" });
    if (found && (isAnothers || found.action.actionCode !== input.actionCode)) {
      const detail = "This identifier belongs to a request of another terminal, or with another actionCode.";
      return refuse({ code: "idempotency_mismatch", detail });
    }
    if (found) return ok(await repeated(deps, call, found, input));
    return raise(deps, call, input);
  });

/**
 * Answers a request that exists. Withdraws it if the terminal asks for that and the request has not ended. Otherwise the call is a replay.
 */
async function repeated(
  deps: RaiseActionRequestDeps,
  call: TerminalCall,
  found: StoredAction,
  { withdraw }: RaiseInput,
): Promise<RaiseResult> {
  const withdrawn = withdraw ? endAction(found.action, "cancelled", call.now()) : undefined;
  if (!withdrawn) return { action: found.action, replayed: true };
  await commitAction(deps, call, withdrawn, found);
  return { action: withdrawn.action, replayed: false };
}

async function raise(
  deps: RaiseActionRequestDeps,
  call: TerminalCall,
  input: RaiseInput,
): Promise<Result<RaiseResult, Refusal<"payment_not_found">>> {
  const { partnerId, terminalId, idAsReceived, merchantId } = call.caller.terminal;
  const { actionRequestId, actionCode, description, data } = input;
  const now = call.now();
  const payment = await paymentOn(deps, call, input.sessionId);
  if (!payment.ok) return payment;
  const asReceived = { actionRequestId: input.idAsReceived, terminalId: idAsReceived };
  const raised = { actionRequestId, asReceived, partnerId, terminalId, actionCode, description, data };
  const of = {
    sessionId: payment.value?.asReceived.sessionId,
    webhookUrl: payment.value?.webhookUrl,
    ...(await shownToken(deps, call, input.code, { merchantId, payment: payment.value })),
  };
  const change = raiseAction({ ...raised, ...of }, now, deps.timings);
  await commitAction(deps, call, change, undefined);
  return ok({ action: change.action, replayed: false });
}

/** The payment that the request names, if any. It must be on the terminal that raises the request. */
async function paymentOn(
  { payments }: RaiseActionRequestDeps,
  { caller: { terminal } }: TerminalCall,
  sessionId: string | undefined,
): Promise<Result<Payment | undefined, Refusal<"payment_not_found">>> {
  if (sessionId === undefined) return ok(undefined);
  const { partnerId, terminalId } = terminal;
  const stored = await payments.find({ partnerId, terminalId, sessionId });
  return stored ? ok(stored.payment) : refuse({ code: "payment_not_found" });
}

/** Describes the code's token, for the partner's decision. The code itself is not stored. */
async function shownToken(
  deps: RaiseActionRequestDeps,
  { now }: TerminalCall,
  code: string | undefined,
  { merchantId, payment }: { readonly merchantId: string; readonly payment: Payment | undefined },
): Promise<Pick<RaisedAction, "token" | "tokenProblem">> {
  if (code === undefined) return {};
  const found = await findToken(deps, code, merchantId);
  if (found === undefined || found === "mistyped") {
    return { tokenProblem: found === "mistyped" ? "codeMistyped" : "codeUnknown" };
  }
  const token = await currentToken(deps, found.token, now());
  const { tokenId, kind, productId, validUntil } = token;
  const at = now();
  const statusText = whyUnavailable(token, at, payment);
  const status = tokenState(token, at);
  return { token: { tokenId, kind, productId, validUntil, status, ...(statusText !== undefined && { statusText }) } };
}
