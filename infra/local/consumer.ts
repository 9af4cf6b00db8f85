import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { CodeKeys } from "../../shared/codes/keyed-codes.ts";
import { hashPassword, newPassword } from "../../shared/auth/basic-credentials.ts";
import { newIssuance } from "../../shared/domain/issuance.ts";
import { azureTables, type TablesAccount } from "../../shared/tables/azure-tables.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { readyLine, startChild, type Child } from "./child.ts";
import { unlessThere } from "./unless-there.ts";

/** The consumer user of the demo. */
const DEMO_USER = "demo";

/** What a web application needs to request vouchers. */
export interface DemoConsumer {
  /** The text after `Authorization: Basic`. */
  readonly basic: string;
  /** By function: the one key that both functions accept, and no other function. */
  readonly functionKeys: Readonly<Record<"landing-page-request" | "get-landing-page", string>>;
  readonly productID: string;
  /** The template of vouchers worth 50 SEK, valid for thirty days. */
  readonly templateAccessTokenID: string;
  /** The template of keys that open the gate for a day. A deployed platform that is tried has none. */
  readonly keyTemplateAccessTokenID?: string;
}

/** A consumer, and the app's settings for it. */
export interface NewConsumer {
  readonly demo: DemoConsumer;
  readonly codeKeys: CodeKeys;
  readonly settings: Readonly<Record<"CONSUMER_CREDENTIALS" | "TOKEN_CODE_KEYS", string>>;
}

/** What a consumer is made of. */
export interface ConsumerSecrets extends Omit<DemoConsumer, "basic" | "functionKeys"> {
  readonly password: string;
  /** The key of the functions of the Consumer Web API. */
  readonly functionKey: string;
  readonly codeKey: string;
}

const drawn = (): ConsumerSecrets => ({
  password: newPassword(),
  functionKey: randomBytes(24).toString("base64url"),
  codeKey: randomBytes(32).toString("base64url"),
  productID: randomUUID(),
  templateAccessTokenID: randomUUID(),
  keyTemplateAccessTokenID: randomUUID(),
});

/** A consumer of these secrets; of new ones where left out. */
export function newConsumer(secrets = drawn()): NewConsumer {
  const { password, functionKey: key, codeKey, ...identifiers } = secrets;
  const user = DEMO_USER;
  const codeKeys = { local: codeKey };
  return {
    demo: {
      basic: Buffer.from(`${user}:${password}`).toString("base64"),
      functionKeys: { "landing-page-request": key, "get-landing-page": key },
      ...identifiers,
    },
    codeKeys,
    settings: {
      CONSUMER_CREDENTIALS: JSON.stringify({ [user]: hashPassword(user, password) }),
      TOKEN_CODE_KEYS: JSON.stringify(codeKeys),
    },
  };
}

/** Creates the templates that the demo consumer names, unless they are there. */
export async function seedTemplates(
  account: TablesAccount,
  { templateAccessTokenID, keyTemplateAccessTokenID }: Omit<DemoConsumer, "basic" | "functionKeys" | "productID">,
): Promise<void> {
  const { accessTokenTemplates } = tablePorts(azureTables(account));
  const createdAt = new Date().toISOString();
  const common = { locale: "en-SE", timeZone: "Europe/Stockholm", createdAt };
  const limits = { mostADay: 10_000, mostInAll: 1_000_000, mostPerDomain: 2_000 };
  const issuanceOf = (templateId: string) =>
    newIssuance({ templateId, ...limits, pages: "requests", users: [DEMO_USER] }, createdAt);
  await unlessThere(
    accessTokenTemplates.add(
      {
        ...common,
        templateId: templateAccessTokenID,
        name: "Demo Kiosk",
        kind: "voucher",
        value: { kind: "amount", amount: 5_000, currency: "SEK" },
        validSeconds: 30 * 86_400,
      },
      issuanceOf(templateAccessTokenID),
    ),
  );
  if (keyTemplateAccessTokenID === undefined) return;
  await unlessThere(
    accessTokenTemplates.add(
      { ...common, templateId: keyTemplateAccessTokenID, name: "Demo Gate", kind: "key", validSeconds: 86_400 },
      issuanceOf(keyTemplateAccessTokenID),
    ),
  );
}

interface Sink {
  readonly ready: true;
  readonly port: number;
  readonly smtpPort: number;
}

/** Starts the mail sink. With a file it has the mails of that file again, and adds to them. */
export const startMailSink = (
  ports: { readonly smtp: number; readonly mails: number },
  logFile: string,
  keep?: string,
): Promise<Child<Sink>> => {
  const kept = keep === undefined ? [] : ["--keep", keep];
  return startChild<Sink>({
    name: "the mail sink",
    script: fileURLToPath(new URL("mail-sink/main.ts", import.meta.url)),
    args: ["--smtp-port", String(ports.smtp), "--port", String(ports.mails), ...kept],
    logFile,
    readyWhen: readyLine<Sink>,
  });
};

/** The app's settings for sending mails to the sink. */
export const mailSettings = (smtpPort: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  MAIL_FROM: "Demo Kiosk <vouchers@kiosk.example>",
});
