import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { Resolution, ResolveRefusal } from "../../../shared/domain/payment/resolution.ts";
import type { Refusal } from "../../../shared/domain/refusal.ts";
import { resolvePayment as resolve } from "../../../shared/use-cases/payments/resolve-payment.ts";
import { command, type Given } from "../command.ts";
import { operatorCall, withPlatform } from "../../operator/platform.ts";
import { UsageError } from "../../script.ts";
import { numberMatching, option, plainText, remark, required } from "../words.ts";
import { paymentKey, paymentOptions } from "./payment-options.ts";

const EXAMPLE = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10 --session 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";

const sequence = numberMatching(/^\d{1,9}$/, "--sequence takes the payment's sequence, as `payment show` says it.");

const outcomeWords = [
  option(
    "--outcome <outcome>",
    "paid or unpaid; of a --refund succeeded or failed; of a --charge reversed or kept",
    plainText,
  ),
  option("--amount <amount>", "what was captured, where it is not the payment's amount, such as 125.50", plainText),
  option("--charge <chargeID>", "the charge that is resolved, or that paid the payment", plainText),
  option("--refund <refundID>", "the refund that is resolved", plainText),
];

export const resolvePayment = command({
  name: "resolve",
  does: "ends a payment, a refund or a charge whose terminal is gone, as the acquirer's records say, and records who and why",
  details:
    "What is resolved is the payment of --sequence; one that has changed since is left alone, and is to be looked at again. While an open alert names the payment, it also corrects what has ended: the amounts change, the status stays, and the partner is notified.",
  words: [
    ...paymentOptions,
    required(
      "--sequence <n>",
      "the payment's sequence in `payment show`, when you compared it with the acquirer's records",
      sequence,
    ),
    ...outcomeWords,
    required("--by <who>", "who decides it", remark),
    required("--why <text>", "how it is known", remark),
  ],
  examples: [
    `payment resolve ${EXAMPLE} --sequence 4 --outcome unpaid --by ada --why "not in the acquirer's list"`,
    `payment resolve ${EXAMPLE} --sequence 7 --charge 4b1d… --outcome reversed --by ada --why "the acquirer gave it back"`,
  ],
  writes: true,
  async run({ by, why, ...given }, { connect }) {
    const resolution: Resolution = { by, why, ...outcomeOf(given) };
    const resolved = await withPlatform(await connect(), (platform) =>
      resolve(platform, operatorCall(), { ...paymentKey(given), sequence: given.sequence }, resolution),
    );
    if (!resolved.ok) throw new Error(whyRefused(resolved.error));
    return toPaymentObject(resolved.value.payment);
  },
});

/** With --charge the outcome decides whether it is of that charge, or of a payment that this charge paid. */
function outcomeOf({ outcome, amount, refund: refundId, charge: chargeId }: Given<typeof outcomeWords>) {
  if (refundId !== undefined) {
    refuseWords("of a refund", { "--charge": chargeId, "--amount": amount });
    if (outcome !== "succeeded" && outcome !== "failed")
      throw new UsageError("--outcome of a refund is succeeded or failed.");
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
      if (chargeId === undefined) throw new UsageError(`Name the charge that is ${outcome}: --charge <chargeID>.`);
      return { of: "charge", chargeId, outcome } as const;
    default:
      throw new UsageError("--outcome is paid or unpaid of a payment, reversed or kept of a --charge.");
  }
}

/** Refuses an option that would have no effect, because it is probably a mistake. */
function refuseWords(outcome: string, words: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(words).flatMap(([word, value]) => (value === undefined ? [] : [word]));
  if (given.length > 0) throw new UsageError(`An outcome ${outcome} has no ${given.join(" and no ")}.`);
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
