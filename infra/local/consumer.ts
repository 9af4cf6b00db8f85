import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { CodeKeys } from "../../shared/codes/keyed-codes.ts";
import { hashPassword } from "../../shared/auth/basic-credentials.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { tablePorts } from "../../shared/tables/table-ports.ts";
import { readyLine, startChild, type Child } from "./child.ts";

/** What a web application needs to request vouchers. */
export interface DemoConsumer {
  /** The text after `Authorization: Basic`. */
  readonly basic: string;
  /** By function: the one key that both functions accept, and no other function. */
  readonly functionKeys: Readonly<Record<"landing-page-request" | "get-landing-page", string>>;
  readonly productID: string;
  /** The template of vouchers worth 50 SEK, valid for thirty days. */
  readonly templateAccessTokenID: string;
}

/** A consumer, and the app's settings for it. */
export interface NewConsumer {
  readonly demo: DemoConsumer;
  readonly codeKeys: CodeKeys;
  readonly settings: Readonly<Record<"CONSUMER_CREDENTIALS" | "TOKEN_CODE_KEYS", string>>;
}

export async function newConsumer(): Promise<NewConsumer> {
  const [user, password] = ["demo", randomBytes(12).toString("base64url")];
  const key = randomBytes(24).toString("base64url");
  const codeKeys = { local: randomBytes(32).toString("base64url") };
  return {
    demo: {
      basic: Buffer.from(`${user}:${password}`).toString("base64"),
      functionKeys: { "landing-page-request": key, "get-landing-page": key },
      productID: randomUUID(),
      templateAccessTokenID: randomUUID(),
    },
    codeKeys,
    settings: {
      CONSUMER_CREDENTIALS: JSON.stringify({ [user]: await hashPassword(password) }),
      TOKEN_CODE_KEYS: JSON.stringify(codeKeys),
    },
  };
}

/** Creates the template that the demo consumer names. */
export async function seedTemplate(connection: string, { templateAccessTokenID }: DemoConsumer): Promise<void> {
  const { accessTokenTemplates } = tablePorts(azureTables(connection));
  await accessTokenTemplates.add({
    templateId: templateAccessTokenID,
    name: "Demo Kiosk",
    kind: "voucher",
    value: { kind: "amount", amount: 5_000, currency: "SEK" },
    validSeconds: 30 * 86_400,
    locale: "en-SE",
    timeZone: "Europe/Stockholm",
    createdAt: new Date().toISOString(),
  });
}

interface Sink {
  readonly ready: true;
  readonly port: number;
  readonly smtpPort: number;
}

export const startMailSink = (
  ports: { readonly smtp: number; readonly mails: number },
  logFile: string,
): Promise<Child<Sink>> =>
  startChild<Sink>({
    name: "the mail sink",
    script: fileURLToPath(new URL("mail-sink/main.ts", import.meta.url)),
    args: ["--smtp-port", String(ports.smtp), "--port", String(ports.mails)],
    logFile,
    readyWhen: readyLine<Sink>,
  });

/** The app's settings for sending mails to the sink. */
export const mailSettings = (smtpPort: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  MAIL_FROM: "Demo Kiosk <vouchers@kiosk.example>",
});
