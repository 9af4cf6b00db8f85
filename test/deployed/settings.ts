import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { partnerHeaders } from "../../packages/workbench/stack/stack-file.ts";
import type { Lack } from "./left-out.ts";

const terminal = z.strictObject({ pointOfServiceID: z.string(), terminalKey: z.string() });
const partner = z.strictObject({
  partnerID: z.string(),
  apikey: z.string(),
  webhookSecret: z.string(),
  merchantID: z.string(),
  terminals: z.strictObject({ autopilot: terminal, silent: terminal }),
});

/** The file of `npm run e2e`. The tests that need an empty setting are left out. */
const settingsFile = z.strictObject({
  /** The key of a subscription of API Management. */
  subscriptionKey: z.string().min(1, "is empty"),
  /**
   * The first partner is the demo's. The tests share the others, file by file. If there are fewer partners than names in the tests, files
   * share terminals.
   */
  partners: z.tuple([partner, partner], partner),
  consumer: z.strictObject({
    user: z.string(),
    password: z.string(),
    functionKey: z.string(),
    productID: z.string(),
    templateAccessTokenID: z.string(),
  }),
  /** The address under which the platform reaches this machine: `url` leads to `port` here, for example by a tunnel. */
  webhooks: z.strictObject({ url: z.string(), port: z.int() }),
  /** The address of a mail sink with the interface of the local one. */
  mails: z.string(),
  /** Whether all deadlines of the platform are the tests' short ones. */
  hasShortDeadlines: z.boolean(),
});
export type Settings = z.infer<typeof settingsFile>;

/** Reads the file. Throws a sentence that names the error, but no value. */
export async function readSettings(path: string): Promise<Settings> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new Error(`${path} cannot be read.`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error(`${path} is no JSON.`);
  }
  const { data, error } = settingsFile.safeParse(content);
  if (data) return data;
  throw new Error(`${path}: ${error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}`);
}

/** The needs of the tests that a deployed platform lacks, by its settings. */
export function lacksOf({ consumer, webhooks, mails, hasShortDeadlines }: Settings): readonly Lack[] {
  const isWithout: Partial<Record<Lack, boolean>> = {
    webhooks: webhooks.url === "",
    consumer: consumer.password === "" || consumer.functionKey === "",
    mails: mails === "",
    deadlines: !hasShortDeadlines,
  };
  const always = ["operator", "host", "cloud"] as const;
  return [...always, ...(Object.keys(isWithout) as Lack[]).filter((lack) => isWithout[lack])];
}

/** A deployed platform in the form of a local stack. Values that only an operator has are empty, because no test that needs them runs. */
export function asStack(
  baseUrl: string,
  { subscriptionKey, partners: [partner], consumer, mails }: Settings,
): StackFile {
  const base = baseUrl.replace(/\/+$/, "");
  const { user, password, functionKey, productID, templateAccessTokenID } = consumer;
  return {
    pid: process.pid,
    baseUrl: base,
    terminalsUrl: `${base}/terminals`,
    functionsUrl: "",
    tables: "",
    serviceBus: "",
    peppers: {},
    codeKeys: {},
    webhookSecretKeys: {},
    mails,
    faults: "",
    healthKey: "",
    demo: {
      ...partner,
      consumer: {
        basic: Buffer.from(`${user}:${password}`).toString("base64"),
        functionKeys: { "landing-page-request": functionKey, "get-landing-page": functionKey },
        productID,
        templateAccessTokenID,
      },
      subscriptionKey,
      functionsKeys: { partners: "", terminals: "" },
      headers: partnerHeaders(partner.apikey, subscriptionKey),
    },
  };
}
