import { msBetween } from "../../../../shared/domain/time.ts";
import type { Partner } from "../../../../shared/stores/partners.ts";
import {
  addWebhookSecret,
  dropOldWebhookSecrets,
} from "../../../../shared/use-cases/operator/onboarding/webhook-secrets.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables, newId, signingOf } from "../../common/platform.ts";
import { identifier, required } from "../words.ts";
import { findPartner } from "./partner.ts";

const words = [required("--partner <partnerID>", "the partner whose server verifies the webhooks", identifier)];
const EXAMPLE = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
const SOON = "Hosts of the app cache partners for a minute. The change applies to every webhook after that time.";

const rotate = command({
  name: "rotate",
  does: "adds a webhook secret, shows it once, and signs with both the old and the new secret from then on",
  details:
    "Give the new secret to the partner. When its server verifies with it, remove the old one with `webhook-secret finish`.",
  words,
  examples: [`webhook-secret rotate ${EXAMPLE}`],
  writes: true,
  async run({ partner }, { connect, note }) {
    const cloud = await connect();
    const { partners } = connectTables(cloud);
    const deps = { partners, signing: signingOf(cloud) };
    const added = await addWebhookSecret(deps, await findPartner(partners, partner), { now: clock.now, newId });
    if (!added) throw new Error("A rotation is in progress: end it with `webhook-secret finish` first.");
    note("The webhook secret is not shown again.");
    note(SOON);
    return { webhookSecret: added.webhookSecret, ...shown(added.partner) };
  },
});

const finish = command({
  name: "finish",
  does: "removes every webhook secret except the newest",
  words,
  examples: [`webhook-secret finish ${EXAMPLE}`],
  writes: true,
  confirms: true,
  async run({ partner }, { connect, confirm, note }) {
    const { partners } = connectTables(await connect());
    const read = await findPartner(partners, partner);
    if (read.partner.webhookSecrets.length < 2)
      throw new Error("There is only one secret: no rotation is in progress.");
    await confirm(`Sign the webhooks of ${read.partner.name} only with the newest secret?`);
    const finished = await dropOldWebhookSecrets({ partners }, read, clock.now());
    note(SOON);
    return shown(finished ?? read.partner);
  },
});

const status = command({
  name: "status",
  does: "shows a partner's webhook secrets: their number, their ages and the keys that encrypt them; never the secrets themselves",
  words,
  examples: [`webhook-secret status ${EXAMPLE}`],
  async run({ partner }, { connect }) {
    const { partners } = connectTables(await connect());
    return shown((await findPartner(partners, partner)).partner);
  },
});

const shown = ({ partnerId, webhookSecrets }: Partner) => ({
  partnerID: partnerId,
  secrets: webhookSecrets.map(({ secretId, sealedBy, createdAt }) => ({
    secretID: secretId,
    webhookKey: sealedBy,
    createdAt,
    ageDays: Math.floor(msBetween(createdAt, clock.now()) / 86_400_000),
  })),
});

export const webhookSecret: Group = {
  name: "webhook-secret",
  does: "the secrets with which webhooks are signed",
  commands: [rotate, finish, status],
};
