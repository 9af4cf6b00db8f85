import { z } from "zod";
import { standardTimings, type Timings } from "./domain/timings.ts";
import { passwordHash } from "./auth/basic-credentials.ts";

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: "custom", message: "must be a JSON object" });
    return z.NEVER;
  }
});

const seconds = (standard: number) => z.coerce.number().positive().default(standard);

/** The setting of a timing: `ACCEPTANCE_SECONDS` for `acceptanceSeconds`. */
const settingOf = (timing: string) => timing.replaceAll(/[A-Z]/g, "_$&").toUpperCase();

/** One setting for each timing, with the standard value as its default. */
const timingSettings = z
  .object(
    Object.fromEntries(Object.entries(standardTimings).map(([name, standard]) => [settingOf(name), seconds(standard)])),
  )
  .transform((env) => ({
    timings: Object.fromEntries(Object.keys(standardTimings).map((name) => [name, env[settingOf(name)]])) as Timings,
  }));

const namedSettings = z.object({
  /** Connection string of the storage account that holds the tables. */
  TABLES_CONNECTION: z.string().min(1),
  /** Connection string of the Service Bus namespace; the triggers read the same setting. */
  SERVICE_BUS_CONNECTION: z.string().min(1),
  /** `{"<pepperID>": "<secret>"}`: the peppers of stored key hashes. Old ones stay until their keys are gone. */
  KEY_PEPPERS: json.pipe(z.record(z.string(), z.string().min(16))),
  /** `{"<user>": "scrypt$<salt>$<hash>"}`: who may request tokens. `npm run admin -- consumer credentials` makes an entry. */
  CONSUMER_CREDENTIALS: json.pipe(
    z.record(
      z.string().regex(/^[^:]+$/, "a user has no colon"),
      z.string().regex(passwordHash, "must be a scrypt hash"),
    ),
  ),
  /** The key from which the codes of vouchers and keys are derived. With another key, issued codes are no longer known. */
  TOKEN_CODE_KEY: z.string().min(32),
  /** The mail server: `smtp://user:password@host:port`. TLS is required unless it runs on this machine. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  /** The sender of mails: an address, or `Name <address>`. */
  MAIL_FROM: z.string().regex(/^[^\r\n]*@[^\r\n]+$/, "must hold an address"),
  /** How often the queues deliver a message before it becomes a dead letter, as they are declared. The last delivery calls an operator. */
  MAX_DELIVERY_COUNT: z.coerce.number().int().positive().default(50),
  /** `true` only where partners' servers run on this machine: allows webhooks to loopback over http. */
  WEBHOOKS_ALLOW_LOOPBACK: z.enum(["true", "false"]).default("false"),
});

/** Every setting of the app, from environment variables (app settings in Azure). */
const settings = namedSettings.and(timingSettings);

export interface Config {
  readonly tablesConnection: string;
  readonly serviceBusConnection: string;
  readonly peppers: Readonly<Record<string, string>>;
  readonly consumers: ReadonlyMap<string, string>;
  readonly tokenCodeKey: string;
  readonly smtp: { readonly url: string; readonly from: string };
  readonly maxDeliveryCount: number;
  readonly allowLoopbackWebhooks: boolean;
  readonly timings: Timings;
}

/** The triggers name the setting, not its value. */
export const SERVICE_BUS_SETTING = "SERVICE_BUS_CONNECTION";

/** Reads the settings. Throws for missing or wrong ones, with their names and never their values. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = settings.safeParse(environment);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The app cannot start, these settings are missing or wrong: ${wrong.join("; ")}`);
  }
  const env = parsed.data;
  return {
    tablesConnection: env.TABLES_CONNECTION,
    serviceBusConnection: env.SERVICE_BUS_CONNECTION,
    peppers: env.KEY_PEPPERS,
    consumers: new Map(Object.entries(env.CONSUMER_CREDENTIALS)),
    tokenCodeKey: env.TOKEN_CODE_KEY,
    smtp: { url: env.SMTP_URL, from: env.MAIL_FROM },
    maxDeliveryCount: env.MAX_DELIVERY_COUNT,
    allowLoopbackWebhooks: env.WEBHOOKS_ALLOW_LOOPBACK === "true",
    timings: env.timings,
  };
}
