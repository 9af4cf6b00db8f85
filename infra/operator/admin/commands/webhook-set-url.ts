import { mayCall } from "../../../../shared/domain/webhook-host.ts";
import { webhookUrlCheck } from "../../../../shared/adapters/webhooks/http-webhooks.ts";
import { command } from "../command.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { identifier, required, text } from "../words.ts";
import { findPartner } from "./partner.ts";

export const setWebhookUrl = command({
  name: "set-url",
  does: "sets the address of webhooks for payments whose request names no address, including webhooks that are not delivered yet",
  details:
    "The address is checked like that of a request. Hosts of the app cache partners for a minute. During that time, they use the old address.",
  words: [
    required("--partner <partnerID>", "the partner", identifier),
    required("--url <url>", "the address of the partner's server", text),
  ],
  examples: [
    "webhook set-url --partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10 --url https://kassabolaget.example/events",
  ],
  writes: true,
  async run({ partner: partnerID, url: webhookUrl }, { connect }) {
    const cloud = await connect();
    const wrong = webhookUrlCheck({ allowLoopback: cloud.isLocal })(webhookUrl);
    if (wrong) throw new UsageError(`--url ${wrong.message}.`);
    const { partners } = connectTables(cloud);
    const { partner, etag } = await findPartner(partners, partnerID);
    if (!mayCall(partner, webhookUrl))
      throw new UsageError("--url is not on a registered host of the partner: see webhook-host add.");
    await partners.save({ ...partner, webhookUrl, updatedAt: clock.now() }, etag);
    return { partnerID, webhookUrl, before: partner.webhookUrl };
  },
});
