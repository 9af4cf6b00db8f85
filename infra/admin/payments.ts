import { parseArgs } from "node:util";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import type { Resolution, ResolveRefusal } from "../../shared/domain/payment/resolve.ts";
import type { Refusal } from "../../shared/domain/refusal.ts";
import type { PaymentKey } from "../../shared/ports/subjects.ts";
import { resolvePayment as resolve } from "../../shared/use-cases/payments/resolve-payment.ts";
import type { Command } from "./command.ts";
import { operatorCall, withPlatform } from "./platform.ts";

export const resolvePayment: Command = {
  name: "payment resolve",
  usage:
    "--partner <partnerID> --session <sessionID> (--outcome paid|unpaid [--amount 125.50] | --refund <refundID> --outcome succeeded|failed | " +
    "--charge <chargeID> --outcome reversed) --by <who> --why <text>",
  does: "ends a payment, a refund or a reversal whose terminal is gone, as the acquirer's records say; recorded with who and why",
  async run(args, connect) {
    const { key, resolution } = readWords(args);
    const resolved = await withPlatform(await connect(), (platform) =>
      resolve(platform, operatorCall(), key, resolution),
    );
    if (!resolved.ok) throw new Error(whyRefused(resolved.error));
    return toPaymentObject(resolved.value.payment);
  },
};

const text = { type: "string" } as const;
const options = {
  partner: text,
  session: text,
  outcome: text,
  amount: text,
  refund: text,
  charge: text,
  by: text,
  why: text,
};

function readWords(args: string[]): { readonly key: PaymentKey; readonly resolution: Resolution } {
  const { partner = "", session = "", by, why, ...words } = parseArgs({ args, options }).values;
  if (!isIdentifier(partner) || !isIdentifier(session))
    throw new Error("Name the payment: --partner and --session are identifiers.");
  if (!by || !why) throw new Error("Say --by whom and --why.");
  const key = { partnerId: partner.toLowerCase(), sessionId: session.toLowerCase() };
  return { key, resolution: { by, why, ...outcomeOf(words) } };
}

interface OutcomeWords {
  readonly outcome?: string | undefined;
  readonly amount?: string | undefined;
  readonly refund?: string | undefined;
  readonly charge?: string | undefined;
}

function outcomeOf({ outcome, amount, refund: refundId, charge }: OutcomeWords) {
  if (refundId !== undefined) {
    if (outcome !== "succeeded" && outcome !== "failed")
      throw new Error("--outcome of a refund is succeeded or failed.");
    return { of: "refund", refundId, outcome } as const;
  }
  if (charge !== undefined) {
    if (outcome !== "reversed") throw new Error("--outcome of a charge is reversed.");
    return { of: "charge", chargeId: charge.toLowerCase(), outcome } as const;
  }
  if (outcome !== "paid" && outcome !== "unpaid") throw new Error("--outcome is paid or unpaid.");
  return { of: "payment", outcome, amount: amount === undefined ? undefined : Number(amount) } as const;
}

function whyRefused(refusal: Refusal<"payment_not_found" | ResolveRefusal>): string {
  switch (refusal.code) {
    case "payment_not_found":
      return "There is no such payment.";
    case "validation_failed":
      return refusal.errors.map(({ field, message }) => `--${field} ${message}.`).join(" ");
    case "invalid_state":
      return `Nothing of it is left to resolve: the payment is ${refusal.currentStatus}.`;
  }
}
