import type { Partner, Partners, StoredPartner } from "../../../../shared/stores/partners.ts";
import {
  createPartner,
  disablePartner,
  enablePartner,
} from "../../../../shared/use-cases/operator/onboarding/partners.ts";
import { subscriptionOf } from "../az.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables, newId, signingOf } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { argument, identifier, matching, option, required, text } from "../words.ts";
import { onboard } from "./partner-onboard.ts";
import { partnerName, refuseWebhookUrl } from "./partner-words.ts";

const words = [argument("<partnerID>", "the partner", identifier)];
const EXAMPLE = "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
const SOON = "Hosts of the app cache keys for a minute. The change applies everywhere after that time.";

/** API Management's identifier of a subscription. It becomes part of a command that is shown. */
const subscriptionID = matching(
  /^[\w-]{1,80}$/,
  "--subscription is an identifier of letters, digits, - and _, as API Management lists it.",
);

const create = command({
  name: "create",
  does: "creates a partner, and shows its webhook secret once",
  details:
    "`partner onboard` also creates its key and its terminals. Otherwise, create a key with `key create`, and the partner's subscription of API Management with the commands that are shown. The first command creates or approves the subscription, and the second shows its key.",
  words: [
    required("--name <text>", "the partner's name: up to 100 characters", partnerName),
    option("--webhook-url <url>", "the address of webhooks for payments that name no address", text),
    option(
      "--subscription <identifier>",
      "the subscription that the partner requested in the developer portal",
      subscriptionID,
    ),
  ],
  examples: ["partner create --name Kassabolaget --webhook-url https://kassabolaget.example/events"],
  writes: true,
  async run({ name, webhookUrl, subscription }, { connect, note }) {
    const cloud = await connect();
    if (cloud.isLocal && subscription !== undefined)
      throw new UsageError("The stack that runs here has no developer portal: leave --subscription out.");
    refuseWebhookUrl(cloud, webhookUrl);
    const deps = { ...connectTables(cloud), signing: signingOf(cloud) };
    const { partner, webhookSecret } = await createPartner(deps, { now: clock.now, newId }, { name, webhookUrl });
    note("The webhook secret is not shown again.");
    return {
      partnerID: partner.partnerId,
      name,
      webhookUrl,
      webhookSecret,
      ...subscriptionOf(partner, cloud, subscription),
    };
  },
});

const list = command({
  name: "list",
  does: "lists the partners",
  columns: ["partnerID", "name", "status", "createdAt", "webhookUrl"],
  examples: ["partner list"],
  async run(_, { connect }) {
    const { partners } = connectTables(await connect());
    const found = await Promise.all((await partners.list()).map((partnerId) => partners.find(partnerId)));
    return found
      .filter((partner) => partner !== undefined) // a partner is listed before it is stored
      .map(({ partnerId, name, webhookUrl, createdAt, ...partner }) => ({
        partnerID: partnerId,
        name,
        status: statusOf(partner),
        webhookUrl,
        createdAt,
      }));
  },
});

const show = command({
  name: "show",
  does: "shows a partner, without its secrets",
  words,
  examples: [`partner show ${EXAMPLE}`],
  async run({ partnerID }, { connect }) {
    const { partners } = connectTables(await connect());
    const { partner } = await findPartner(partners, partnerID);
    const [keys, terminals] = await Promise.all([partners.keyIds(partnerID), partners.terminalIds(partnerID)]);
    return { ...shown(partner), keys: keys.length, terminals: terminals.length };
  },
});

const disable = command({
  name: "disable",
  does: "rejects every request with the partner's keys until the partner is enabled again",
  details:
    "Its terminals continue to work, because their reports say where money is. Its webhooks are still delivered.",
  words,
  examples: [`partner disable ${EXAMPLE}`],
  writes: true,
  confirms: true,
  async run({ partnerID }, { connect, confirm, note }) {
    const { partners } = connectTables(await connect());
    const read = await findPartner(partners, partnerID);
    await confirm(`Reject every request of ${read.partner.name}?`);
    const disabled = await disablePartner({ partners }, read, clock.now());
    note(SOON);
    return shown(disabled);
  },
});

const enable = command({
  name: "enable",
  does: "lets a disabled partner's keys give access again, except revoked and expired keys",
  words,
  examples: [`partner enable ${EXAMPLE}`],
  writes: true,
  async run({ partnerID }, { connect, note }) {
    const { partners } = connectTables(await connect());
    const enabled = await enablePartner({ partners }, await findPartner(partners, partnerID), clock.now());
    note(SOON);
    return shown(enabled);
  },
});

/** The stored partner. Throws an error for the operator if there is no such partner. */
export async function findPartner(partners: Partners, partnerId: string): Promise<StoredPartner> {
  const stored = await partners.read(partnerId);
  if (!stored) throw new Error("There is no such partner.");
  return stored;
}

const statusOf = ({ disabledAt }: Pick<Partner, "disabledAt">) => (disabledAt === undefined ? "active" : "disabled");

const shown = ({ partnerId, name, webhookUrl, webhookSecrets, disabledAt, createdAt, updatedAt }: Partner) => ({
  partnerID: partnerId,
  name,
  status: statusOf({ disabledAt }),
  disabledAt,
  webhookUrl,
  webhookSecrets: webhookSecrets.length,
  createdAt,
  updatedAt,
});

export const partner: Group = {
  name: "partner",
  does: "the partners that request payments",
  commands: [onboard, create, list, show, disable, enable],
};
