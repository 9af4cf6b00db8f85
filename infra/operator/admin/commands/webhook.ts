import { replayWebhooks } from "../../../../shared/use-cases/operator/replay-webhooks.ts";
import { command, type Group } from "../command.ts";
import { connectTables, withPlatform } from "../../common/platform.ts";
import { option, plainText } from "../words.ts";
import { listDeliveries } from "./webhook-deliveries.ts";
import { setWebhookUrl } from "./webhook-set-url.ts";
import { checkSubject, subjectIn, subjectOptions } from "./webhook-subject.ts";

const PARTNER = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
const PAYMENT = `${PARTNER} --session 9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70`;
const DAY = `${PARTNER} --terminal 3c9e2b7a-5d41-4f6e-9a08-7b1d2c3e4f50 --day 2026-11-21`;

const list = command({
  name: "list",
  does: "lists every attempt to deliver the webhooks of a payment, a terminal's day or an action request, and its result",
  words: subjectOptions,
  examples: [`webhook list ${PAYMENT}`, `webhook list ${DAY}`],
  async run(given, { connect }) {
    checkSubject(given);
    const tables = connectTables(await connect());
    const attempts = await tables.commands.attempts(await subjectIn(tables, given));
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
  does: "delivers the webhooks of a payment, a terminal's day or an action request again, with the same content and the same webhook-id",
  words: [...subjectOptions, option("--webhook <webhookID>", "only this webhook", plainText)],
  examples: [`webhook replay ${PAYMENT}`, `webhook replay ${DAY}`],
  writes: true,
  async run({ webhook, ...given }, { connect }) {
    checkSubject(given);
    const replayed = await withPlatform(await connect(), async (platform) =>
      replayWebhooks(platform, await subjectIn(platform, given), webhook),
    );
    if (replayed.length === 0) throw new Error("There is no such webhook.");
    return replayed.map(({ eventId, type, attempts }) => ({ webhookID: eventId, type, attemptsSoFar: attempts }));
  },
});

export const webhook: Group = {
  name: "webhook",
  does: "the webhooks that partners' servers get, and their addresses",
  commands: [setWebhookUrl, list, listDeliveries, replay],
};
