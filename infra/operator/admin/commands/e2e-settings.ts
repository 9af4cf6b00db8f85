import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { seedTemplates } from "../../common/seed-templates.ts";
import { seedPartner, type DemoPartner } from "../../common/seed.ts";
import { command } from "../command.ts";
import { keyMaker, signingOf } from "../../common/platform.ts";
import { argument, numberMatching, standard, text } from "../words.ts";

/** Each test file has its own partner, and a few have several. */
const count = numberMatching(/^(?:[2-9]|[1-9]\d|100)$/, "--partners takes 2 to 100.");

/** Fails if the file exists, because its partners may be in use. */
const NEW_FILE = { flag: "wx", mode: 0o600 } as const;

export const e2eSettings = command({
  name: "e2e-settings",
  does: "creates partners with terminals and a template, and writes their credentials into a new file for `npm run e2e`",
  details:
    "Use it only for a cloud without customers, because the tests make payments. The file holds credentials, but none of an operator. Fill in the values of other systems: the key of a subscription of API Management, and the user, password and function key of the Consumer Web API. A test is left out if a value that it needs is empty.",
  words: [
    argument("<file>", "the file to write", text),
    standard("--partners <count>", "how many partners: 2 to 100", count, "36"),
  ],
  examples: ["e2e-settings e2e.json --cloud dev"],
  writes: true,
  async run({ file, partners: wanted }, { connect, note }) {
    const cloud = await connect();
    keyMaker(cloud); // throws if the peppers are not known
    signingOf(cloud);
    const { tables, peppers = {}, webhookSecretKeys = {} } = cloud;
    const target = { tables, peppers, webhookSecretKeys };
    const [productID, templateAccessTokenID] = [randomUUID(), randomUUID()];
    const empty = {
      subscriptionKey: "",
      partners: [],
      consumer: { user: "", password: "", functionKey: "", productID, templateAccessTokenID },
      webhooks: { url: "", port: 7099 },
      mails: "",
      hasShortDeadlines: false,
    };
    await writeFile(file, JSON.stringify(empty), NEW_FILE); // created first, so that no credentials are made without a place to store them
    const partners: DemoPartner[] = [];
    while (partners.length < wanted)
      partners.push(await seedPartner(target, { name: `Black-box tests ${partners.length + 1}` }));
    await seedTemplates(cloud.tables, { templateAccessTokenID });
    await writeFile(file, `${JSON.stringify({ ...empty, partners }, null, 2)}\n`);
    note("Fill in subscriptionKey, and consumer, webhooks and mails if the cloud has them. Never commit the file.");
    return { file, partners: partners.length, templateAccessTokenID };
  },
});
