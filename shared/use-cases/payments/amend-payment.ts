import type { Change } from "../../domain/payment/life/advance.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import { paymentSubjectOf, type PaymentKey } from "../../ports/subjects.ts";
import type { StoredPayment, Taking, Tombstone } from "../../stores/payments.ts";
import type { KeyCommand } from "../idempotency-key.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { commitPayment, type CommitPaymentDeps, type DecidedChange } from "./commit-payment.ts";
import { isPayment, whyNoPayment, type NoPayment } from "./why-no-payment.ts";
import type { Needs } from "../needs.ts";

export type AmendPaymentDeps = CommitPaymentDeps & Needs<"timings">;

/** The other inputs of a decision: the data that was read, and the result of the fence; undefined if there was no fence. */
export interface Known<Read, Fenced> {
  readonly read: Read;
  readonly fenced: Fenced | undefined;
}

/**
 * How to amend one payment, in the order of the steps: read, fence, decide. All steps run again if another writer was first.
 *
 * @typeParam Read the data read at the same time as the payment
 * @typeParam Fenced the result of the fence; `never` if there is no fence
 */
export interface Amendment<E, Read = undefined, Fenced = never> {
  readonly key: PaymentKey;
  /** A look makes the change, and looks again afterwards. */
  readonly isLook?: true;
  /**
   * Reads the other data that `decide` needs, at the same time as the payment. Await the payment only if the reading depends on it. The
   * attempt counts from 1, and a later one follows a conflict.
   */
  readonly read?: (payment: () => Promise<Payment | undefined>, attempt: number) => Promise<Read>;
  /**
   * Changes another partition before the commit; undefined if nothing is to be changed there. It must be conditional and idempotent. If the
   * commit is lost, the same worker or a reader repairs what the fence left. It may throw `Conflict`, after which all steps run again.
   */
  readonly fence?: (payment: Payment, context: DecisionContext) => Promise<Fenced | undefined>;
  /** Binds the `Idempotency-Key` of the request to the command that makes the change. */
  readonly bind?: (read: Read, command: KeyCommand) => Pick<DecidedChange, "idempotency" | "beside">;
  /** Decides on the payment as it was read. Pure: its type does not let it wait for anything. */
  readonly decide: (
    payment: Payment,
    context: DecisionContext,
    known: Known<Read, Fenced>,
  ) => Result<(Change & Taking) | "unchanged", E>;
}

/** The payment after a decision. */
export interface AmendResult<Read = unknown> {
  readonly payment: Payment;
  /** The payment already was as requested, and nothing was written. */
  readonly replayed: boolean;
  /** The data that the decision was based on. */
  readonly read: Read;
}

/**
 * Reads a payment, decides, announces and commits. Starts again if another writer was first. Every change of an existing payment by a
 * request, a report, a timeout or an operator goes through here. Throws `Unavailable`.
 */
export const amendPayment = <E, Read = undefined, Fenced = never>(
  deps: AmendPaymentDeps,
  call: CallContext,
  { key, isLook, read: readBeside, fence, bind, decide }: Amendment<E, Read, Fenced>,
): Promise<Result<AmendResult<Read>, E | NoPayment>> =>
  retryOnConflict(async (attempt) => {
    const finding = deps.payments.findOrTombstone(key);
    const [stored, found] = await Promise.all([finding, readBeside?.(async () => paymentOf(await finding), attempt)]);
    if (!isPayment(stored)) return refuse(whyNoPayment(stored));
    const { payment: before } = stored;
    const read = found as Read;
    const commandId = call.newId();
    const context = { now: call.now(), commandId, timings: deps.timings };
    const fenced = await fence?.(before, context);
    const decided = decide(before, context, { read, fenced });
    if (!decided.ok) return decided;
    const change = decided.value;
    if (change === "unchanged") return ok({ payment: before, replayed: true, read });
    const { terminalId } = key;
    const bound = bind?.(read, { subject: paymentSubjectOf(key), terminalId, commandId, at: context.now });
    await commitPayment(deps, call, { change, before: stored, commandId, isLook, ...bound });
    return ok({ payment: change.payment, replayed: false, read });
  });

const paymentOf = (found: StoredPayment | Tombstone | undefined): Payment | undefined =>
  isPayment(found) ? found.payment : undefined;
