import {
  resealWebhookSecrets,
  webhookKeyStatus,
} from "../../../../shared/use-cases/operator/onboarding/webhook-secrets.ts";
import { connectTables, signingOf } from "../../common/platform.ts";
import { command, type Group } from "../command.ts";
import { rotatingGroup } from "../rotating-group.ts";

const rotating = rotatingGroup({
  name: "webhook-key",
  does: "the keys that encrypt the secrets of webhooks in tables and exports",
  setting: "WEBHOOK_SECRET_KEYS",
  secretsOf: ({ webhookSecretKeys }) => webhookSecretKeys,
  member: "webhookKey",
  status: {
    does: "counts the webhook secrets that each key encrypts; a key that encrypts none, also in no export, can be removed from WEBHOOK_SECRET_KEYS",
    places: {
      first: "first: encrypts",
      other: "decrypts its own secrets",
      absent: "not in the setting: these webhooks fail",
    },
    async list(ports, known) {
      const counted = await webhookKeyStatus(ports, known);
      return counted.map(({ sealedBy: id, ...shown }) => ({ id, shown }));
    },
  },
  rotate: {
    does: "prints, step by step, the values to set WEBHOOK_SECRET_KEYS to, so that a new key encrypts webhook secrets; changes nothing itself",
    of: "key",
    until: "run `webhook-key reseal`; when the oldest export is younger than that, remove the others",
  },
});

const reseal = command({
  name: "reseal",
  does: "encrypts every webhook secret again with the first key of WEBHOOK_SECRET_KEYS; nothing changes for partners",
  examples: ["webhook-key reseal"],
  writes: true,
  async run(_, { connect }) {
    const cloud = await connect();
    return { resealed: await resealWebhookSecrets({ ...connectTables(cloud), signing: signingOf(cloud) }) };
  },
});

export const webhookKey: Group = { ...rotating, commands: [...rotating.commands, reseal] };
