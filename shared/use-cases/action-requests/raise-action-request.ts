import { tokenState } from "../../domain/access-token.ts";
import { endAction, raiseAction, type ActionRequest, type RaisedAction } from "../../domain/action-request.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Terminal } from "../../domain/terminal.ts";
import type { Payments } from "../../ports/payments.ts";
import { commitAction, type CommitActionDeps } from "./commit-action.ts";
import { findToken, currentToken, type FindTokenDeps } from "../vouchers/find-token.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";

export interface RaiseActionRequestDeps extends CommitActionDeps, FindTokenDeps {
  readonly payments: Payments;
}

export interface RaiseInput {
  readonly actionRequestId: string;
  readonly spelledId: string;
  readonly actionCode: string;
  readonly description?: string | undefined;
  readonly data?: ActionRequest["data"];
  readonly sessionId?: string | undefined;
  /** Of a voucher or key that a customer showed. */
  readonly code?: string | undefined;
  readonly withdraw: boolean;
}

/** Asks the partner's server something for a terminal, or takes the question back. The same question again is a replay. */
export async function raiseActionRequest(
  deps: RaiseActionRequestDeps,
  terminal: Terminal,
  raised: RaiseInput,
  traceparent?: string,
): Promise<Result<{ action: ActionRequest; replayed: boolean }, Refusal>> {
  const { partnerId, terminalId } = terminal;
  const { actionRequestId, sessionId, actionCode, description, data } = raised;
  return retryOnConflict(async () => {
    const found = await deps.actionRequests.find({ partnerId, actionRequestId });
    const now = deps.clock.now();
    if (found && (found.action.terminalId !== terminalId || found.action.actionCode !== actionCode)) {
      return refuse({ code: "idempotency_mismatch" });
    }
    if (found) {
      const withdrawn = raised.withdraw ? endAction(found.action, "cancelled", now) : undefined;
      if (withdrawn) await commitAction(deps, withdrawn, found, traceparent);
      return ok({ action: withdrawn?.action ?? found.action, replayed: !withdrawn });
    }
    if (raised.withdraw) return refuse({ code: "action_request_not_found" });
    const stored = sessionId === undefined ? undefined : await deps.payments.find({ partnerId, sessionId });
    const payment = stored ? stored.payment : undefined;
    if (sessionId !== undefined && payment?.terminalId !== terminalId) return refuse({ code: "payment_not_found" });
    const spelled = { actionRequestId: raised.spelledId, terminalId: terminal.spelledId };
    const asked = { actionRequestId, spelled, partnerId, terminalId, actionCode, description, data };
    const of = {
      sessionId: payment?.spelled.sessionId,
      webhookUrl: payment?.webhookUrl,
      ...(await shownToken(deps, raised.code, terminal.merchantId)),
    };
    const change = raiseAction({ ...asked, ...of }, now, deps.timings);
    await commitAction(deps, change, undefined, traceparent);
    return ok({ action: change.action, replayed: false });
  });
}

/** What the code means, for the partner to decide on; the code itself is kept nowhere. */
async function shownToken(
  deps: RaiseActionRequestDeps,
  code: string | undefined,
  merchantId: string,
): Promise<Pick<RaisedAction, "token" | "tokenProblem">> {
  if (code === undefined) return {};
  const found = await findToken(deps, code, merchantId);
  if (found === undefined || found === "mistyped") {
    return { tokenProblem: found === "mistyped" ? "codeMistyped" : "codeUnknown" };
  }
  const token = await currentToken(deps, found.token);
  const { tokenId, kind, productId, validUntil } = token;
  return { token: { tokenId, kind, productId, validUntil, status: tokenState(token, deps.clock.now()) } };
}
