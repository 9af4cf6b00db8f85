import * as z from "zod";
import { connectionSettings, connectionsOfSettings, type ConnectionConfig } from "./connection-settings.ts";
import { areHere, DEMO_PASSWORD, holdsDemoSecret } from "./demo-secrets.ts";
import { oldestVersion, storedForms, versionsOf } from "../../ports/stored-forms.ts";
import { timingTable, type Timings } from "../../domain/timings.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { HealthCheck } from "../../ports/health-check.ts";
import { IS_MISSING, WrongSettings, type WrongSetting } from "../../ports/wrong-settings.ts";
import { hashPassword, passwordHash } from "../auth/basic-credentials.ts";

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: "custom", message: "must be a JSON object" });
    return z.NEVER;
  }
});

/** The minimum length of a secret, and the minimum number of different characters. A random secret of this length has more. */
const SHORTEST_SECRET = 32;
const FEWEST_CHARACTERS = 8;

/**
 * Secrets by their identifiers, in the order of the setting. The first has a special role. An identifier begins with a letter, because
 * JavaScript moves members with numeric names to the front.
 */
export const keyring = json
  .pipe(z.record(z.string(), z.string().min(SHORTEST_SECRET)))
  .refine((secrets) => Object.keys(secrets).length > 0, "must hold at least one")
  .refine(
    (secrets) => Object.keys(secrets).every((id) => /^[A-Za-z][\w-]{0,31}$/.test(id)),
    "each identifier must begin with a letter, and have up to 32 letters, digits, - and _",
  )
  .refine(
    (secrets) => Object.values(secrets).every((secret) => new Set(secret).size >= FEWEST_CHARACTERS),
    "must be random: one of them repeats a few characters",
  );

/** The setting of a timing: `ACCEPTANCE_SECONDS` for `acceptanceSeconds`. */
const settingOf = (timing: string) => timing.replaceAll(/[A-Z]/g, "_$&").toUpperCase();

/** One setting for each timing, with the standard value as its default. */
const timingSettings = z.object(
  Object.fromEntries(
    Object.entries(timingTable).map(([name, { standard, means }]) => [
      settingOf(name),
      z.coerce.number().positive().default(standard).meta({ means, unit: "seconds" }),
    ]),
  ),
);

/** `means` and `unit` are for people. A `secret` is never logged or shown, and in Azure it comes from Key Vault. */
const namedSettings = z.object({
  KEY_PEPPERS: keyring.meta({
    means:
      'The peppers of stored key hashes, `{"<pepperID>": "<secret>"}`. The first pepper hashes new keys, and hashes every other key again at its next use. `npm run admin -- pepper status` counts the keys that still need an older pepper. A pepper that begins with `demo-only-` is public: the app starts with it only if its tables and its Service Bus are on this machine.',
    secret: true,
  }),
  CONSUMER_CREDENTIALS: json
    .pipe(
      z.record(
        z.string().regex(/^[^:]+$/, "a user name must not contain a colon"),
        z.string().regex(passwordHash, "must be a hash of 64 digits"),
      ),
    )
    .meta({
      means:
        'The users that may request tokens, `{"<user>": "<hash>"}`. `npm run admin -- consumer credentials` makes an entry.',
      secret: true,
    }),
  TOKEN_CODE_KEYS: keyring.meta({
    means:
      'The keys from which the codes of vouchers and keys are derived, `{"<keyID>": "<secret>"}`. The first key makes new codes. The platform knows the codes of an older key only while that key is in the setting. `npm run admin -- code-key status` says until when it must stay. A key that begins with `demo-only-` is public, as above.',
    secret: true,
  }),
  WEBHOOK_SECRET_KEYS: keyring.meta({
    means:
      'The keys that encrypt the secrets of webhooks in tables and exports, `{"<keyID>": "<secret>"}`. The first key encrypts; the others decrypt. Keep a key until no secret and no export needs it ([rotations](operations.md#rotations)). A key that begins with `demo-only-` is public, as above.',
    secret: true,
  }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .regex(/^[^?#]*$/, "must not contain ? or #: options there could turn TLS off")
    .meta({
      means: "The mail server, `smtp://user:password@host:port`. TLS is required unless it runs on this machine.",
      secret: true,
    }),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, "must contain an address")
    .meta({ means: "The sender of mails: an address, or `Name <address>`." }),
  MAX_DELIVERY_COUNT: z.coerce.number().int().positive().default(50).meta({
    means:
      "The number of deliveries of a message before it becomes a dead letter, as the queues declare it. The last one raises an alert.",
    unit: "deliveries",
  }),
  WRITE_VERSION: z.coerce
    .number()
    .refine(
      (version) => version in storedForms,
      `must be a version that this release reads: ${versionsOf(storedForms).join(" or ")}`,
    )
    .default(oldestVersion)
    .meta({
      means:
        "The version in which rows and messages are written. Keep the oldest version that this release reads until every instance runs this release ([releases.md](releases.md)).",
    }),
  POLLS_OF_INSTANCE: z.coerce.number().int().positive().optional().meta({
    means:
      "The number of polls above which a terminal's poll does not wait: it reads its inbox once and gets 429. Set it below `maxConcurrentRequests` of host.json, and only on this machine. In Azure the app does not start with it: an app that refuses polls early gets no further instances.",
    unit: "polls",
    needed: "no limit",
  }),
  PROBLEM_PAGES_URL: z
    .string()
    .regex(/^(?:none|https?:\/\/[\w.:[\]/~-]+)$/, "must be the address of a page, without ? and #, or none")
    .default("none")
    .meta({
      means:
        "The address at which you publish [problems](problems.md), such as `https://docs.example.com/problems`. The `type` of each error is then this address with `#` and the error's code. If no page is published, the setting is `none`, and `type` is `about:blank`. The gateway's named value `problem-pages-url` has the same value.",
    }),
  WEBHOOKS_ALLOW_LOOPBACK: z.enum(["true", "false"]).default("false").meta({
    means:
      "`true` allows webhooks to loopback and to `host.docker.internal`, over http and on any port. Set it only if partners' servers run on this machine.",
  }),
});

/** The app's settings by name. Their zod metadata has `means`, and optionally `unit`, `secret` and `needed`. */
export const describedSettings: Readonly<Record<string, z.ZodType>> = {
  ...connectionSettings.shape,
  ...namedSettings.shape,
  ...timingSettings.shape,
};

/** Every setting of the app, from environment variables (app settings in Azure). */
const settings = connectionsOfSettings.and(namedSettings).and(
  timingSettings.transform((env) => ({
    timings: Object.fromEntries(Object.keys(timingTable).map((name) => [name, env[settingOf(name)]])) as Timings,
  })),
);

/** The settings that are only allowed if both the tables and the Service Bus are on this machine. Empty if they are. */
function onlyHere(env: z.infer<typeof settings>): WrongSetting[] {
  if (areHere(env)) return [];
  const elsewhere = "and the tables or the Service Bus are not on this machine";
  const keyrings = ["KEY_PEPPERS", "TOKEN_CODE_KEYS", "WEBHOOK_SECRET_KEYS"] as const;
  const isPublic = [
    ...keyrings.filter((name) => holdsDemoSecret(env[name])),
    ...(isOfDemo(env.CONSUMER_CREDENTIALS) ? ["CONSUMER_CREDENTIALS"] : []),
  ].map((setting) => ({ setting, reason: `holds a public key of the demo, ${elsewhere}` }));
  const loopback = { setting: "WEBHOOKS_ALLOW_LOOPBACK", reason: `is true, ${elsewhere}` };
  const polls = { setting: "POLLS_OF_INSTANCE", reason: `is set, ${elsewhere}` };
  return [
    ...isPublic,
    ...(env.WEBHOOKS_ALLOW_LOOPBACK === "true" ? [loopback] : []),
    ...(env.POLLS_OF_INSTANCE === undefined ? [] : [polls]),
  ];
}

/** Whether a user has the demo's password. */
const isOfDemo = (consumers: Readonly<Record<string, string>>): boolean =>
  Object.entries(consumers).some(([user, hash]) => hash === hashPassword(user, DEMO_PASSWORD));

export interface Config {
  readonly connections: ConnectionConfig;
  readonly peppers: Readonly<Record<string, string>>;
  readonly consumers: ReadonlyMap<string, string>;
  readonly tokenCodeKeys: Readonly<Record<string, string>>;
  readonly webhookSecretKeys: Readonly<Record<string, string>>;
  readonly smtp: { readonly url: string; readonly from: string };
  readonly maxDeliveryCount: number;
  readonly writeVersion: number;
  readonly allowLoopbackWebhooks: boolean;
  /** `Infinity` if there is no limit. */
  readonly pollsOfInstance: number;
  /** Undefined if the page is not published. */
  readonly problemPagesUrl: string | undefined;
  readonly timings: Timings;
}

/** The triggers name the setting, not its value. The host looks for this name, or for names that begin with it and `__`. */
export const SERVICE_BUS_SETTING = "SERVICE_BUS_CONNECTION";

/** Reads the settings. If any are missing or wrong, it throws `WrongSettings` with their names and never their values. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  // Azure passes on a reference that it cannot resolve.
  const unresolved = Object.keys(describedSettings).filter((name) =>
    environment[name]?.startsWith("@Microsoft.KeyVault("),
  );
  const parsed = settings.safeParse(environment);
  if (!parsed.success || unresolved.length > 0) {
    const reason = "is a reference to Key Vault that Azure could not resolve";
    const others = (parsed.error?.issues ?? []).map(({ path: [name], message }) => ({
      setting: String(name),
      reason: environment[String(name)] || String(name) in connectionSettings.shape ? message : IS_MISSING,
    }));
    throw new WrongSettings([
      ...unresolved.map((setting) => ({ setting, reason })),
      ...others.filter(({ setting }) => !unresolved.includes(setting)),
    ]);
  }
  const env = parsed.data;
  const wrong = onlyHere(env);
  if (wrong.length > 0) throw new WrongSettings(wrong);
  return {
    connections: { tables: env.tables, serviceBus: env.serviceBus },
    peppers: env.KEY_PEPPERS,
    consumers: new Map(Object.entries(env.CONSUMER_CREDENTIALS)),
    tokenCodeKeys: env.TOKEN_CODE_KEYS,
    webhookSecretKeys: env.WEBHOOK_SECRET_KEYS,
    smtp: { url: env.SMTP_URL, from: env.MAIL_FROM },
    maxDeliveryCount: env.MAX_DELIVERY_COUNT,
    writeVersion: env.WRITE_VERSION,
    allowLoopbackWebhooks: env.WEBHOOKS_ALLOW_LOOPBACK === "true",
    pollsOfInstance: env.POLLS_OF_INSTANCE ?? Infinity,
    problemPagesUrl: pageOf(env.PROBLEM_PAGES_URL),
    timings: env.timings,
  };
}

const pageOf = (setting: string): string | undefined => (setting === "none" ? undefined : setting);

/** The address of the page of problems alone, for an app that cannot start. Undefined if this setting is wrong, too. */
export function readProblemPagesUrl({
  PROBLEM_PAGES_URL,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const { data } = namedSettings.shape.PROBLEM_PAGES_URL.safeParse(PROBLEM_PAGES_URL);
  return data === undefined ? undefined : pageOf(data);
}

/** The host's own setting for the longest body. Only with this value do callers meet the app's own limit. */
export const BODY_LIMIT = { name: "FUNCTIONS_REQUEST_BODY_SIZE_LIMIT", bytes: 65_536 } as const;

/**
 * Checks the host's limit of a body. The app starts without it, but the host then holds bodies of up to 100 MB in memory. Settings that
 * `readConfig` rejects are not checked here, because the app does not start with them.
 */
export const settingsCheck = (environment: Readonly<Record<string, string | undefined>>): HealthCheck => ({
  name: "settings",
  async check() {
    if (Number(environment[BODY_LIMIT.name]) !== BODY_LIMIT.bytes)
      throw new Unavailable(`${BODY_LIMIT.name} is not ${BODY_LIMIT.bytes}`);
  },
});
