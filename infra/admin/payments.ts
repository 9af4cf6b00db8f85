import { parseArgs } from "node:util";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import type { Resolution } from "../../shared/domain/payment/resolve.ts";
import type { Refusal } from "../../shared/domain/refusal.ts";
import type { PaymentKey } from "../../shared/ports/subjects.ts";
import { resolvePayment as resolve } from "../../shared/use-cases/payments/resolve-payment.ts";
import type { Command } from "./command.ts";
import { operatorCall, withPlatform } from "./platform.ts";

export const resolvePayment: Command = {
  name: "payment resolve",
  usage: "--partner <partnerID> --session <sessionID> --outcome paid|unpaid --by <who> --why <text>",
  does: "settles a reconciling payment whose terminal is gone, as the acquirer's records say; recorded with who and why",
  async run(args, connect) {
    const { key, resolution } = readWords(args);
    const resolved = await withPlatform(await connect(), (platform) =>
      resolve(platform, operatorCall(), key, resolution),
    );
    if (!resolved.ok) throw new Error(whyRefused(resolved.error));
    return toPaymentObject(resolved.value.payment);
  },
};

function readWords(args: string[]): { readonly key: PaymentKey; readonly resolution: Resolution } {
  const text = { type: "string" } as const;
  const options = { partner: text, session: text, outcome: text, by: text, why: text };
  const { partner = "", session = "", outcome, by, why } = parseArgs({ args, options }).values;
  if (!isIdentifier(partner) || !isIdentifier(session))
    throw new Error("Name the payment: --partner and --session are identifiers.");
  if (outcome !== "paid" && outcome !== "unpaid") throw new Error("--outcome is paid or unpaid.");
  if (!by || !why) throw new Error("Say --by whom and --why.");
  const key = { partnerId: partner.toLowerCase(), sessionId: session.toLowerCase() };
  return { key, resolution: { outcome, by, why } };
}

const whyRefused = (refusal: Refusal<"payment_not_found" | "invalid_state">): string =>
  refusal.code === "payment_not_found"
    ? "There is no such payment."
    : `Only a reconciling payment can be settled; this one is ${refusal.currentStatus}.`;
