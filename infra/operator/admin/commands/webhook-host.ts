import type { Partner } from "../../../../shared/stores/partners.ts";
import { registerHost, removeHost, type NotRegistered } from "../../../../shared/use-cases/webhooks/webhook-hosts.ts";
import { httpWebhooks, webhookUrlCheck } from "../../../../shared/adapters/webhooks/http-webhooks.ts";
import { command, type Group } from "../command.ts";
import { connectTables, operatorCall, signingOf } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { matching, plain, required, text, identifier } from "../words.ts";
import { findPartner } from "./partner.ts";

const ofPartner = required("--partner <partnerID>", "the partner", identifier);
const EXAMPLE = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
const SOON = "Hosts of the app cache partners for a minute. The change applies to every webhook after that time.";
const hostName = plain(matching(/^[a-z0-9.:[\]-]{1,260}$/, "--host is a host, such as hooks.kassabolaget.example."));

const add = command({
  name: "add",
  does: "registers a host for a partner's webhooks: sends a signed challenge to the URL, and expects the nonce in the response",
  details:
    "After the first host is registered, every address of the partner must be on a registered host. Webhooks to other addresses are given up, and stay in the feed. " +
    "The challenge is a webhook of the type webhook.challenge. The server must respond 2xx with data.nonce as the body. The challenge is repeated once a year.",
  words: [ofPartner, required("--url <url>", "the address where the partner's server accepts webhooks", text)],
  examples: [`webhook-host add ${EXAMPLE} --url https://hooks.kassabolaget.example/events`],
  writes: true,
  async run({ partner, url }, { connect, note }) {
    const cloud = await connect();
    const wrong = webhookUrlCheck({ allowLoopback: cloud.isLocal })(url);
    if (wrong) throw new UsageError(`--url ${wrong.message}.`);
    const { partners } = connectTables(cloud);
    const webhooks = httpWebhooks({ allowLoopback: cloud.isLocal, random: Math.random });
    const read = await findPartner(partners, partner);
    const deps = { partners, webhooks, signing: signingOf(cloud) };
    const registered = changed(await registerHost(deps, operatorCall(), read, url));
    note(SOON);
    return shown(registered);
  },
});

const remove = command({
  name: "remove",
  does: "removes a registered host; after the last one is removed, the partner's webhooks may go to any address again",
  words: [ofPartner, required("--host <host>", "the host", hostName)],
  examples: [`webhook-host remove ${EXAMPLE} --host hooks.kassabolaget.example`],
  writes: true,
  confirms: true,
  async run({ partner, host }, { connect, confirm, note }) {
    const { partners } = connectTables(await connect());
    const read = await findPartner(partners, partner);
    await confirm(`Stop sending webhooks of ${read.partner.name} to ${host}?`);
    const left = changed(await removeHost({ partners }, operatorCall(), read, host));
    note(SOON);
    return shown(left);
  },
});

const list = command({
  name: "list",
  does: "lists a partner's registered hosts, and when each last passed its challenge",
  words: [ofPartner],
  examples: [`webhook-host list ${EXAMPLE}`],
  async run({ partner }, { connect }) {
    const { partners } = connectTables(await connect());
    return shown((await findPartner(partners, partner)).partner);
  },
});

function changed(result: Partner | NotRegistered): Partner {
  if ("why" in result) throw new Error(result.why);
  return result;
}

const shown = ({ partnerId, webhookHosts = [] }: Partner) => ({ partnerID: partnerId, hosts: webhookHosts });

export const webhookHost: Group = {
  name: "webhook-host",
  does: "the hosts to which a partner's webhooks may go",
  commands: [add, list, remove],
};
