import { toPaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import type { Outcome, Resolution } from "../../../../shared/domain/payment/operator/resolution.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import { recordResolution } from "../../../../shared/use-cases/operator/record-resolution.ts";
import { whoDecides } from "../trail.ts";
import { command, type Given } from "../command.ts";
import { connectTables, operatorCall, withPlatform } from "../../common/platform.ts";
import { whyRefused } from "../../common/why-refused.ts";
import { UsageError } from "../../../tools/script.ts";
import { day, numberMatching, option, plainText, remark, required } from "../words.ts";
import { paymentKey, paymentOptions } from "./payment-options.ts";
import { asOption, movedOn, preview } from "./resolution-preview.ts";

const EXAMPLE = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10 --session 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";

const sequence = numberMatching(/^\d{1,9}$/, "--sequence takes the payment's sequence, as the preview shows it.");

const outcomeWords = [
  option(
    "--outcome <outcome>",
    "paid or unpaid; for a --refund, succeeded or failed; for a --charge, reversed or kept; for a --discount, applied or refused",
    plainText,
  ),
  option(
    "--amount <amount>",
    "for paid: the captured amount, such as 125.50; for a --refund that succeeded: the refunded amount; needed if several are possible",
    plainText,
  ),
  option(
    "--tip <tip>",
    "for paid: the part of the amount that is tip, such as 10.00; needed if a tip was asked for and more than the amount to pay was taken",
    plainText,
  ),
  option("--charge <chargeID>", "the charge that is resolved, or that paid the payment", plainText),
  option("--refund <refundID>", "the refund that is resolved", plainText),
  option("--discount <discountID>", "the discount that is resolved", plainText),
  option(
    "--refunded-outside <amount>",
    "instead of --outcome: the captured money that was returned without the terminal, such as 125.50; of a kept --charge, or the payment's own",
    plainText,
  ),
  option("--reference <text>", "the acquirer's reference of the money returned outside, for operators only", remark),
];

export const resolvePayment = command({
  name: "resolve",
  does: "shows the consequences of an outcome that the acquirer's records show and the terminal does not report; with --sequence, records the outcome",
  details: `Without --sequence, the command changes nothing: it shows the consequences, and the whole command to type. With --sequence, it does nothing
if the payment has changed since. It also corrects a payment that has ended, while an open alert names the payment or its terminal's day, or a
charge is contradicted. The amounts change, the status stays, and the partner gets a webhook. Money returned outside needs no alert.

  paid      the merchant has the money of the --charge, or of the known charge; every other charge is voided
  unpaid    the merchant has no money: every charge of the payment is voided, including captured and kept charges; a contradicted
            charge counts as given back, without a message to the terminal
  reversed  the money of the --charge was returned to the customer
  kept      the merchant has the money of the --charge, in addition to the payment's own`,
  words: [
    ...paymentOptions,
    option("--sequence <n>", "record the outcome if the payment still has this sequence", sequence),
    ...outcomeWords,
    option(
      "--by <who>",
      "who decides, for operators only; leave it out if the cloud has identities, because it then records yours",
      remark,
    ),
    required("--why <text>", "how the outcome is known, for operators only", remark),
    option("--note <text>", "a note that the partner reads", remark),
    option(
      "--business-day <YYYY-MM-DD>",
      "the day on which the terminal counted the money; the correction then counts in the comparison of that day",
      day,
    ),
  ],
  examples: [
    `payment resolve ${EXAMPLE} --outcome unpaid --by ada --why "not in the acquirer's list"`,
    `payment resolve ${EXAMPLE} --charge 4b1d… --outcome reversed --by ada --why "the acquirer gave it back" --sequence 7`,
    `payment resolve ${EXAMPLE} --refunded-outside 125.50 --reference 74027-0001 --by ada --why "the till is broken"`,
  ],
  writes: true,
  isPreview: (given) => given.sequence === undefined,
  async run({ by, why, note, businessDay, sequence, ...given }, { connect, again }) {
    const outcome = outcomeOf(given);
    const cloud = await connect();
    const resolution: Resolution = { by: await whoDecides(cloud, by), why, note, businessDay, ...outcome };
    const deps = { ...connectTables(cloud), timings: standardTimings };
    const asked = { resolution, again };
    const key = await paymentKey(deps, given);
    if (sequence === undefined) return preview(deps, { ...key, ...asked });
    const seen = { ...key, sequence };
    const resolved = await withPlatform(cloud, (platform) =>
      recordResolution(platform, operatorCall(), seen, resolution),
    );
    if (resolved.ok) return toPaymentObject(resolved.value.payment);
    throw new Error((await movedOn(deps, { ...seen, ...asked })) ?? whyRefused(resolved.error, asOption));
  },
});

/** If `--charge` is given, the outcome tells whether the charge is resolved, or the payment that it paid. */
function outcomeOf(given: Given<typeof outcomeWords>): Outcome {
  if (given.refundedOutside !== undefined) return ofOutside(given.refundedOutside, given);
  const { outcome, amount, tip, charge: chargeId, reference } = given;
  refuseWords(String(outcome), { "--reference": reference });
  if (given.refund !== undefined) return ofRefund(given.refund, given);
  if (given.discount !== undefined) return ofDiscount(given.discount, given);
  switch (outcome) {
    case "paid":
      return { of: "payment", outcome, chargeId, amount: majorOf(amount), tip: majorOf(tip) };
    case "unpaid":
      refuseWords("unpaid", { "--charge": chargeId, "--amount": amount, "--tip": tip });
      return { of: "payment", outcome };
    case "reversed":
    case "kept":
      refuseWords("of a charge", { "--amount": amount, "--tip": tip });
      if (chargeId === undefined) throw new UsageError(`Name the charge that is ${outcome}: --charge <chargeID>.`);
      return { of: "charge", chargeId, outcome };
    default:
      throw new UsageError("--outcome is paid or unpaid for a payment, and reversed or kept for a --charge.");
  }
}

function ofRefund(refundId: string, { outcome, amount, tip, charge, discount }: Given<typeof outcomeWords>): Outcome {
  refuseWords("of a refund", { "--charge": charge, "--discount": discount, "--tip": tip });
  if (outcome === "succeeded") return { of: "refund", refundId, outcome, amount: majorOf(amount) };
  refuseWords(String(outcome), { "--amount": amount });
  if (outcome === "failed") return { of: "refund", refundId, outcome };
  throw new UsageError("--outcome of a refund is succeeded or failed.");
}

const majorOf = (typed: string | undefined): number | undefined => (typed === undefined ? undefined : Number(typed));

function ofOutside(refunded: string, given: Given<typeof outcomeWords>): Outcome {
  const { outcome, amount, tip, charge: chargeId, refund, discount, reference } = given;
  const others = { "--outcome": outcome, "--amount": amount, "--tip": tip, "--refund": refund, "--discount": discount };
  refuseWords("refunded outside", others);
  if (reference === undefined) throw new UsageError("Name the acquirer's refund: --reference <text>.");
  return { of: "outside", outcome: "refunded", amount: Number(refunded), reference, chargeId };
}

function ofDiscount(discountId: string, { outcome, amount, tip, charge }: Given<typeof outcomeWords>): Outcome {
  refuseWords("of a discount", { "--charge": charge, "--amount": amount, "--tip": tip });
  if (outcome === "applied" || outcome === "refused") return { of: "discount", discountId, outcome };
  throw new UsageError("--outcome of a discount is applied or refused.");
}

/** Rejects an option that would have no effect, because it is probably a mistake. */
function refuseWords(outcome: string, words: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(words).flatMap(([word, value]) => (value === undefined ? [] : [word]));
  if (given.length > 0) throw new UsageError(`The outcome ${outcome} takes no ${given.join(" and no ")}.`);
}
