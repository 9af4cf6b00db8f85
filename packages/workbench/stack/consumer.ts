import { randomBytes, randomUUID } from "node:crypto";
import type { CodeKeys } from "../../../shared/adapters/codes/keyed-codes.ts";
import { hashPassword, newPassword } from "../../../shared/edge/auth/basic-credentials.ts";
import { DEMO_USER } from "../../../infra/operator/common/seed-templates.ts";
import { programFile } from "../../../infra/tools/packed.ts";
import { readyLine, startChild, type Child } from "./child.ts";

/** The credentials and identifiers with which a web application requests vouchers. */
export interface DemoConsumer {
  /** The text after `Authorization: Basic`. */
  readonly basic: string;
  /** By function. It is the same key for both functions, and no other function accepts it. */
  readonly functionKeys: Readonly<Record<"landing-page-request" | "get-landing-page", string>>;
  readonly productID: string;
  /** The template of vouchers worth 50 SEK, valid for thirty days. */
  readonly templateAccessTokenID: string;
  /** The template of keys that open the gate for a day. Undefined for a trial of a deployed platform. */
  readonly keyTemplateAccessTokenID?: string;
}

/** A consumer, and the app's settings for it. */
export interface NewConsumer {
  readonly demo: DemoConsumer;
  readonly codeKeys: CodeKeys;
  readonly settings: Readonly<Record<"CONSUMER_CREDENTIALS" | "TOKEN_CODE_KEYS", string>>;
}

/** The secrets and identifiers of a consumer. */
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

/** A consumer with these secrets, or with new ones if left out. */
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

interface Sink {
  readonly ready: true;
  readonly port: number;
  readonly smtpPort: number;
}

/** Starts the mail sink. With `keep`, it shows the mails of that file too, and adds new ones to it. */
export const startMailSink = (
  ports: { readonly smtp: number; readonly mails: number },
  logFile: string,
  keep?: string,
): Promise<Child<Sink>> => {
  const kept = keep === undefined ? [] : ["--keep", keep];
  return startChild<Sink>({
    name: "the mail sink",
    script: programFile("mail-sink/mail-sink", import.meta.url),
    args: ["--smtp-port", String(ports.smtp), "--port", String(ports.mails), ...kept],
    logFile,
    readyWhen: readyLine<Sink>,
  });
};

/** The app settings with which mails go to the sink. */
export const mailSettings = (smtpPort: number) => ({
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  MAIL_FROM: "Demo Kiosk <vouchers@kiosk.example>",
});
