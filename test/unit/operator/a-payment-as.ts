import type { Charge, ChargeState } from "../../../shared/domain/payment/record/charge.ts";
import type { Payment, PaymentState, Refund, StatusReason } from "../../../shared/domain/payment/record/payment.ts";
import { aCharge, aPaymentIn, now } from "../../support/a-payment.ts";

/** A payment of 125.50 SEK in a situation, in the notation of `situationOf`. Each charge and each refund has a different amount. */
export function aPaymentAs(situation: string): Payment {
  const [status = "", ...words] = situation.split(" ");
  const reason = words.find((word) => !word.includes("="));
  const said = new Map(words.flatMap((word) => (word.includes("=") ? [word.split("=") as [string, string]] : [])));
  const listed = (name: string): readonly string[] => said.get(name)?.split("+") ?? [];
  const tips = listed("tip");
  const captured = (capturedAs[said.get("captured") ?? ""] ?? 0) + (tips.includes("held") ? TIP : 0);
  const isUnknown = status === "reconciling" || reason === "outcomeUnknown";
  const payment = aPaymentIn(status as PaymentState);
  const charges = listed("charges").map(chargeAs);
  return {
    ...payment,
    statusReason: reason as StatusReason | undefined,
    statusDetail: said.has("detail") ? "words" : undefined,
    amounts: { ...payment.amounts, captured },
    charges: tips.length === 0 ? charges : charges.map((charge) => tipped(charge, tips, captured)),
    ownTip: tips.includes("held") && charges.every(({ status }) => !(status in holding)) ? TIP : undefined,
    refunds: listed("refunds").map((word, i) => refundAs(word, captured, i)),
    restored: listed("doubt").includes("payment") && !isUnknown ? 5 : undefined,
    discounts: listed("doubt").includes("discount") ? [discountInDoubt] : [],
  };
}

const capturedAs: Readonly<Record<string, number>> = { part: 5_000, all: 12_550, more: 20_550 };

/** The tip of a situation with one, in minor units. */
const TIP = 1_000;

const holding = { captured: true, kept: true };

/** The authorized charge with its tip, or the captured or kept one. A charge that holds all of the payment's money has that amount. */
function tipped(charge: Charge, tips: readonly string[], captured: number): Charge {
  const { status } = charge;
  if (!tips.includes(status === "authorized" ? status : "held")) return charge;
  const holdsAll = status === "captured" || (status === "kept" && tips.includes("authorized"));
  if (holdsAll) return { ...charge, amount: captured, tip: TIP };
  return status === "authorized" || status === "kept" ? { ...charge, tip: TIP } : charge;
}

function chargeAs(word: string, i: number): Charge {
  const [state, ...marks] = word.split(":");
  const has = (mark: string): boolean => marks.includes(mark);
  return aCharge(state as ChargeState, {
    chargeId: `charge-${i}`,
    amount: 7_001 + i,
    currency: has("foreign") ? "EUR" : "SEK",
    captured: has("captured") ? 6_001 + i : undefined,
    contradicted: has("contradicted") || undefined,
  });
}

function refundAs(word: string, captured: number, i: number): Refund {
  const amount = { some: 1_234, all: captured, more: captured + 1_000 }[word] ?? 301 + i;
  const name = `refund-${i}`;
  return {
    refundId: name,
    idAsReceived: name,
    names: [],
    amount,
    reason: "a return",
    status: word === "pending" || word === "inDoubt" ? "pending" : "succeeded",
    statusReason: word === "inDoubt" ? "outcomeUnknown" : undefined,
    commandId: name,
    sequence: 6 + i,
    createdAt: now,
    updatedAt: now,
  };
}

const discountInDoubt = {
  discountId: "discount-1",
  amount: 1_000,
  status: "requested",
  statusReason: "outcomeUnknown",
  commandId: "c3",
  createdAt: now,
  updatedAt: now,
} as const;
