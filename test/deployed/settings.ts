import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { StackFile } from "../../infra/stack/stack-file.ts";
import { partnerHeaders } from "../../infra/stack/stack-file.ts";
import type { Lack } from "./left-out.ts";

const terminal = z.strictObject({ pointOfServiceID: z.string(), terminalKey: z.string() });
const partner = z.strictObject({
  partnerID: z.string(),
  apikey: z.string(),
  webhookSecret: z.string(),
  merchantID: z.string(),
  terminals: z.strictObject({ autopilot: terminal, silent: terminal }),
});

/** The file of `npm run e2e`. What is left empty has its tests left out. */
const settingsFile = z.strictObject({
  /** The key of a subscription of API Management. */
  subscriptionKey: z.string().min(1, "is empty"),
  /** The first is the demo's; the tests share the others, file by file. With fewer than the tests have names for, files meet at terminals. */
  partners: z.tuple([partner, partner], partner),
  consumer: z.strictObject({
    user: z.string(),
    password: z.string(),
    functionKey: z.string(),
    productID: z.string(),
    templateAccessTokenID: z.string(),
  }),
  /** Where the platform reaches this machine: `url` leads to `port` here, by a tunnel for instance. */
  webhooks: z.strictObject({ url: z.string(), port: z.int() }),
  /** The address of a mail sink with the interface of the local one. */
  mails: z.string(),
  /** Whether the platform has the short deadlines of the tests, and none of production's. */
  hasShortDeadlines: z.boolean(),
});
export type Settings = z.infer<typeof settingsFile>;

/** Reads the file. Throws a sentence that names what is wrong, and no value. */
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

/** What a deployed platform has not for the tests, by its settings. */
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

/** A deployed platform as the tests know a stack. What only an operator has is empty: no test that needs it runs. */
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
