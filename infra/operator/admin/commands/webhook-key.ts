import {
  resealWebhookSecrets,
  webhookKeyStatus,
} from "../../../../shared/use-cases/operator/onboarding/webhook-secrets.ts";
import { connectTables, signingOf } from "../../common/platform.ts";
import { command, type Group } from "../command.ts";
import { rotatingGroup } from "../rotating-group.ts";

const rotating = rotatingGroup({
  name: "webhook-key",
  does: "what encrypts the secrets of webhooks in tables and exports",
  setting: "WEBHOOK_SECRET_KEYS",
  secretsOf: ({ webhookSecretKeys }) => webhookSecretKeys,
  member: "webhookKey",
  status: {
    does: "counts the webhook secrets that each key encrypts: one that encrypts none, in no export either, may leave WEBHOOK_SECRET_KEYS",
    places: { first: "first: encrypts", other: "decrypts its own", absent: "not in it: these webhooks fail" },
    async list(ports, known) {
      const counted = await webhookKeyStatus(ports, known);
      return counted.map(({ sealedBy: id, ...shown }) => ({ id, shown }));
    },
  },
  rotate: {
    does: "prints the values that WEBHOOK_SECRET_KEYS takes one after the other to have webhook secrets encrypted by a new key; sets nothing",
    of: "key",
    until: "run `webhook-key reseal`; when the oldest export is younger than that, leave the others out",
  },
});

const reseal = command({
  name: "reseal",
  does: "encrypts every webhook secret again by the first key of WEBHOOK_SECRET_KEYS; partners notice nothing",
  examples: ["webhook-key reseal"],
  writes: true,
  async run(_, { connect }) {
    const cloud = await connect();
    return { resealed: await resealWebhookSecrets({ ...connectTables(cloud), signing: signingOf(cloud) }) };
  },
});

export const webhookKey: Group = { ...rotating, commands: [...rotating.commands, reseal] };
