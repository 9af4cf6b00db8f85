import { parseArgs } from "node:util";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import { replayWebhooks } from "../../shared/use-cases/webhooks/replay-webhooks.ts";
import type { Subcommand } from "./subcommand.ts";
import { connectTables, withPlatform } from "./platform.ts";

const ofPayment = "--partner <partnerID> --session <sessionID>";

export const listWebhooks: Subcommand = {
  name: "webhook list",
  usage: ofPayment,
  does: "lists every attempt to deliver a payment's webhooks, and its result",
  async run(args, connect) {
    const { key } = named(args);
    const attempts = await connectTables(await connect()).commands.attempts({ kind: "payment", ...key });
    return attempts
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ eventId, status, ms, ...attempt }) => ({
        webhookID: eventId,
        ...attempt,
        statusCode: status,
        latencyMs: ms,
      }));
  },
};

export const replay: Subcommand = {
  name: "webhook replay",
  usage: `${ofPayment} [--webhook <webhookID>]`,
  does: "delivers a payment's webhooks again, or only the named one: the same content under the same webhook-id",
  async run(args, connect) {
    const { key, webhook } = named(args);
    const replayed = await withPlatform(await connect(), (platform) => replayWebhooks(platform, key, webhook));
    if (replayed.length === 0) throw new Error("There is no such payment, or it has no such webhook.");
    return replayed.map(({ eventId, type, attempts }) => ({ webhookID: eventId, type, attemptsSoFar: attempts }));
  },
};

function named(args: string[]) {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args, options: { partner: text, session: text, webhook: text } });
  const { partner = "", session = "", webhook } = values;
  if (!isIdentifier(partner) || !isIdentifier(session))
    throw new Error("Name the payment: --partner and --session are identifiers.");
  return { key: { partnerId: partner.toLowerCase(), sessionId: session.toLowerCase() }, webhook };
}
