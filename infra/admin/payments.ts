import { parseArgs } from "node:util";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import { resolvePayment as resolve } from "../../shared/use-cases/payments/resolve-payment.ts";
import type { Command } from "./command.ts";
import { operatorCall, withPlatform } from "./platform.ts";

export const resolvePayment: Command = {
  name: "payment resolve",
  usage: "--partner <partnerID> --session <sessionID> --outcome paid|unpaid --by <who> --why <text>",
  does: "settles a reconciling payment whose terminal is gone, as the acquirer's records say; recorded with who and why",
  async run(args, connect) {
    const text = { type: "string" } as const;
    const options = { partner: text, session: text, outcome: text, by: text, why: text };
    const { partner = "", session = "", outcome, by, why } = parseArgs({ args, options }).values;
    if (!isIdentifier(partner) || !isIdentifier(session))
      throw new Error("Name the payment: --partner and --session are identifiers.");
    if (outcome !== "paid" && outcome !== "unpaid") throw new Error("--outcome is paid or unpaid.");
    if (!by || !why) throw new Error("Say --by whom and --why.");

    const key = { partnerId: partner.toLowerCase(), sessionId: session.toLowerCase() };
    const resolved = await withPlatform(await connect(), (platform) =>
      resolve(platform, operatorCall(), key, { outcome, by, why }),
    );
    if (resolved.ok) return toPaymentObject(resolved.value.payment);
    if (resolved.error.code === "payment_not_found") throw new Error("There is no such payment.");
    throw new Error(`Only a reconciling payment can be settled; this one is ${resolved.error.currentStatus}.`);
  },
};
