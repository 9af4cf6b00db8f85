import type { Effect } from "../effects.ts";
import { toMinorUnits } from "../money.ts";
import { invalidField, type Refusal } from "../refusal.ts";
import { ok, refuse, type Result } from "../result.ts";
import { advance, type Change, type Step } from "./advance.ts";
import { reversed, reversing, withCharge } from "./charges.ts";
import type { Decision, DecisionContext } from "./decision.ts";
import { payableAmount, wantedCharge, type Charge, type Payment } from "./payment.ts";
import { settleRefund } from "./refund.ts";

/** What an operator says of a payment, a refund or a reversal whose terminal does not, as the acquirer's own records show it. */
export type Resolution = {
  /** Who resolved it, and why; the history keeps both. */
  readonly by: string;
  readonly why: string;
} & (
  | {
      readonly of: "payment";
      readonly outcome: "paid" | "unpaid";
      /** In the currency's major unit; what was authorized, or else what was to pay, when left out. */
      readonly amount?: number | undefined;
    }
  | { readonly of: "refund"; readonly refundId: string; readonly outcome: "succeeded" | "failed" }
  | { readonly of: "charge"; readonly chargeId: string; readonly outcome: "reversed" }
);

export type ResolveRefusal = "invalid_state" | "validation_failed";
type Resolved = Result<Change, Refusal<ResolveRefusal>>;

/** Ends by an operator's word what its terminal does not end. Nothing else may end what is not known. */
export function resolve(payment: Payment, resolution: Resolution, context: DecisionContext): Decision<ResolveRefusal> {
  const step = { ...context, by: "operator", detail: `${resolution.by}: ${resolution.why}` } as const;
  switch (resolution.of) {
    case "payment":
      return resolution.outcome === "paid" ? paid(payment, resolution.amount, step) : unpaid(payment, step);
    case "refund":
      return ofRefund(payment, resolution, step);
    case "charge":
      return ofCharge(payment, resolution.chargeId, step);
  }
}

/** The sequences of the messages that a resolution makes pointless: the terminal must not carry them out after it. */
export function resolvedMessages(payment: Payment, resolution: Resolution): readonly number[] {
  switch (resolution.of) {
    case "payment": {
      const voids = payment.charges.flatMap(({ reversal }) => reversal?.sequence ?? []);
      const awaited = payment.awaiting?.sequence;
      return [...(awaited === undefined ? [] : [awaited]), ...(resolution.outcome === "paid" ? voids : [])];
    }
    case "refund":
      return payment.refunds.flatMap((r) => (isRefund(r.refundId, resolution.refundId) ? [r.sequence] : []));
    case "charge":
      return payment.charges.flatMap((c) => (c.chargeId === resolution.chargeId ? (c.reversal?.sequence ?? []) : []));
  }
}

type OperatorStep = Omit<Step, "event"> & DecisionContext;

const impossible = ({ status: currentStatus }: Payment) => refuse({ code: "invalid_state", currentStatus });

/** The charge of that amount is the wanted one, if one is known; else the first that is reported confirms it. */
function paid(payment: Payment, major: number | undefined, step: OperatorStep): Resolved {
  const amount = amountPaid(payment, major);
  if (!amount.ok) return amount;
  const found = wantedCharge(payment) ?? payment.charges.find((c) => isReversing(c) && c.amount === amount.value);
  if (found && amount.value > found.amount)
    return refuse(invalidField("amount", "out_of_range", "is more than was charged"));
  const charges = found ? withCharge(payment, { ...found, status: "captured", updatedAt: step.now }) : payment.charges;
  const authorized = found?.amount ?? amount.value;
  const amounts = { ...payment.amounts, authorized, captured: amount.value };
  const change = advance(payment, { ...step, event: "settledPaid", set: { charges, amounts } });
  return change ? ok(change) : impossible(payment);
}

const isReversing = ({ status }: Charge): boolean => status === "reversing" || status === "reversalFailed";

function amountPaid(payment: Payment, major: number | undefined): Result<number, Refusal<"validation_failed">> {
  if (major === undefined) return ok(wantedCharge(payment)?.amount ?? payableAmount(payment));
  const minor = toMinorUnits(major, payment.currency);
  if (minor.ok && minor.value > 0) return minor;
  return refuse(invalidField("amount", "custom", `must be a positive amount of ${payment.currency}`));
}

/** No money is due: a charge that is known goes back, and order and voucher are free at once. */
function unpaid(payment: Payment, step: OperatorStep): Resolved {
  const wanted = wantedCharge(payment);
  const back = wanted && reversing(wanted, { sequence: payment.sequence + 1, context: step });
  const requested: Effect<"payment">[] = wanted
    ? [{ kind: "webhook", type: "reversal.requested", about: wanted.chargeId }]
    : [];
  const change = advance(payment, {
    ...step,
    event: "settledUnpaid",
    set: back ? { charges: withCharge(payment, back.charge) } : {},
    effects: [...(back?.effects ?? []), ...requested],
  });
  return change ? ok(change) : impossible(payment);
}

function ofRefund(
  payment: Payment,
  { refundId, outcome: status }: Extract<Resolution, { readonly of: "refund" }>,
  step: OperatorStep,
): Resolved {
  const refund = payment.refunds.find((r) => isRefund(r.refundId, refundId) && r.status === "pending");
  const change = refund && settleRefund(payment, refund, { status, statusReason: "resolvedByOperator" }, step);
  return change ? ok(change) : impossible(payment);
}

const isRefund = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function ofCharge(payment: Payment, chargeId: string, step: OperatorStep): Resolved {
  const charge = payment.charges.find((c) => c.chargeId === chargeId && isReversing(c));
  const change = charge && reversed(payment, charge, step);
  return change ? ok(change) : impossible(payment);
}
