import { replayWebhooks } from "../../../shared/use-cases/webhooks/replay-webhooks.ts";
import { command, type Group } from "../command.ts";
import { connectTables, withPlatform } from "../../operator/platform.ts";
import { plainText } from "../words.ts";
import { paymentKey, paymentOptions } from "./payment-options.ts";
import { listDeliveries } from "./webhook-deliveries.ts";
import { setWebhookUrl } from "./webhook-set-url.ts";

const EXAMPLE = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10 --session 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";

const list = command({
  name: "list",
  does: "lists every attempt to deliver a payment's webhooks, and its result",
  options: paymentOptions,
  examples: [`webhook list ${EXAMPLE}`],
  async run(given, { connect }) {
    const attempts = await connectTables(await connect()).commands.attempts({ kind: "payment", ...paymentKey(given) });
    return attempts
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ eventId, status, ms, ...attempt }) => ({
        webhookID: eventId,
        ...attempt,
        statusCode: status,
        latencyMs: ms,
      }));
  },
});

const replay = command({
  name: "replay",
  does: "delivers a payment's webhooks again, or only the named one: the same content under the same webhook-id",
  options: { ...paymentOptions, webhook: plainText("webhookID", "only this one") },
  examples: [`webhook replay ${EXAMPLE}`],
  writes: true,
  async run({ webhook, ...given }, { connect }) {
    const key = paymentKey(given);
    const replayed = await withPlatform(await connect(), (platform) => replayWebhooks(platform, key, webhook));
    if (replayed.length === 0) throw new Error("There is no such payment, or it has no such webhook.");
    return replayed.map(({ eventId, type, attempts }) => ({ webhookID: eventId, type, attemptsSoFar: attempts }));
  },
});

export const webhook: Group = {
  name: "webhook",
  does: "what partners' servers are sent, and where",
  commands: [setWebhookUrl, list, listDeliveries, replay],
};
