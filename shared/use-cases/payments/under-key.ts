import type { Change } from "../../domain/payment/life/advance.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { ok, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import type { KeyedOperation } from "../../stores/idempotency-keys.ts";
import type { Taking } from "../../stores/payments.ts";
import type { PartnerCall } from "../caller.ts";
import {
  bindKey,
  judgeKey,
  type JudgedKey,
  type JudgeKeyDeps,
  keyedBy,
  type KeyedRequest,
  type KeyRefusal,
  usedKey,
} from "../idempotency-key.ts";
import type { PaymentTarget } from "./amend-own-payment.ts";
import type { Amendment } from "./amend-payment.ts";

/** A request to change a payment, with its `Idempotency-Key`. */
export interface KeyedTarget extends PaymentTarget {
  readonly idempotencyKey?: string | undefined;
}

/**
 * The key of a request to change a payment. Undefined without a key.
 *
 * @param content the members of the request that count besides its session, as text
 */
export function keyOfTarget(
  operation: KeyedOperation,
  call: PartnerCall,
  { sessionId, terminalId, idempotencyKey }: KeyedTarget,
  content?: string,
): KeyedRequest | undefined {
  const { partnerId } = call.caller;
  const subject = paymentSubjectOf({ partnerId, terminalId, sessionId });
  return keyedBy(idempotencyKey, call, { operation, subject, content });
}

interface Unkeyed<E, Read> {
  readonly read?: (payment: () => Promise<Payment | undefined>) => Promise<Read>;
  readonly decide: (
    payment: Payment,
    context: DecisionContext,
    read: Read,
  ) => Result<(Change & Taking) | "unchanged", E>;
}

type UnderKey<Read> = { readonly own: Read; readonly judged: Result<JudgedKey, KeyRefusal> };

/**
 * An amendment under the request's key. If the same request was accepted under it before, it is not made again, whatever the payment became
 * since. It is still refused as without a key.
 */
export const underKey = <E, Read>(
  deps: JudgeKeyDeps,
  call: PartnerCall,
  keyed: KeyedRequest | undefined,
  { read, decide }: Unkeyed<E, Read>,
): Pick<Amendment<E | KeyRefusal, UnderKey<Read>>, "read" | "bind" | "decide"> => ({
  async read(payment) {
    const [own, judged] = await Promise.all([read?.(payment), judgeKey(deps, keyed, call.now())]);
    const accepted = judged.ok ? judged.value.sequence : undefined;
    if (accepted !== undefined && ((await payment())?.sequence ?? accepted) < accepted)
      throw new Conflict("the payment was read before the change under its key");
    return { own: own as Read, judged };
  },
  decide(payment, context, { read: { own, judged } }) {
    if (!judged.ok) return judged;
    const decided = decide(payment, context, own);
    return decided.ok && judged.value.isAccepted ? ok("unchanged") : decided;
  },
  bind: ({ judged }, command) => ({
    idempotency: usedKey(keyed),
    beside: async () => (judged.ok ? bindKey(deps, judged.value, command) : undefined),
  }),
});
