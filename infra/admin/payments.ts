import { parseArgs } from "node:util";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import type { Resolution, ResolveRefusal } from "../../shared/domain/payment/resolution.ts";
import type { Refusal } from "../../shared/domain/refusal.ts";
import type { PaymentKey } from "../../shared/ports/subjects.ts";
import { resolvePayment as resolve } from "../../shared/use-cases/payments/resolve-payment.ts";
import type { Subcommand } from "./subcommand.ts";
import { operatorCall, withPlatform } from "./platform.ts";

export const resolvePayment: Subcommand = {
  name: "payment resolve",
  usage:
    "--partner <partnerID> --session <sessionID> (--outcome paid [--amount 125.50] [--charge <chargeID>] | --outcome unpaid | " +
    "--refund <refundID> --outcome succeeded|failed | --charge <chargeID> --outcome reversed|kept) --by <who> --why <text>",
  does:
    "ends a payment, a refund or a charge whose terminal is gone, as the acquirer's records say, and records who and why. " +
    "While an open alert names the payment, it also corrects what has ended: the amounts change, the status stays, and the partner is notified",
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
/** The operator's texts are stored in the payment's history, so their length is limited. */
const MAX_WORDS = 500;
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
  if (by.length > MAX_WORDS || why.length > MAX_WORDS)
    throw new Error(`--by and --why have up to ${MAX_WORDS} characters.`);
  const key = { partnerId: partner.toLowerCase(), sessionId: session.toLowerCase() };
  return { key, resolution: { by, why, ...outcomeOf(words) } };
}

interface OutcomeWords {
  readonly outcome?: string | undefined;
  readonly amount?: string | undefined;
  readonly refund?: string | undefined;
  readonly charge?: string | undefined;
}

/** With --charge the outcome decides whether it is of that charge, or of a payment that this charge paid. */
function outcomeOf({ outcome, amount, refund: refundId, charge: chargeId }: OutcomeWords) {
  if (refundId !== undefined) {
    refuseWords("of a refund", { "--charge": chargeId, "--amount": amount });
    if (outcome !== "succeeded" && outcome !== "failed")
      throw new Error("--outcome of a refund is succeeded or failed.");
    return { of: "refund", refundId, outcome } as const;
  }
  switch (outcome) {
    case "paid":
      return { of: "payment", outcome, chargeId, amount: amount === undefined ? undefined : Number(amount) } as const;
    case "unpaid":
      refuseWords("unpaid", { "--charge": chargeId, "--amount": amount });
      return { of: "payment", outcome } as const;
    case "reversed":
    case "kept":
      refuseWords("of a charge", { "--amount": amount });
      if (chargeId === undefined) throw new Error(`Name the charge that is ${outcome}: --charge <chargeID>.`);
      return { of: "charge", chargeId, outcome } as const;
    default:
      throw new Error("--outcome is paid or unpaid of a payment, reversed or kept of a --charge.");
  }
}

/** Refuses an option that would have no effect, because it is probably a mistake. */
function refuseWords(outcome: string, words: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(words).flatMap(([word, value]) => (value === undefined ? [] : [word]));
  if (given.length > 0) throw new Error(`An outcome ${outcome} has no ${given.join(" and no ")}.`);
}

function whyRefused(refusal: Refusal<"payment_not_found" | ResolveRefusal>): string {
  switch (refusal.code) {
    case "payment_not_found":
      return "There is no such payment.";
    case "validation_failed":
      return refusal.errors.map(({ field, message }) => `--${field} ${message}.`).join(" ");
    case "invalid_state":
      return `${refusal.detail ?? "There is nothing of that kind to resolve."} The payment is ${refusal.currentStatus}.`;
  }
}
