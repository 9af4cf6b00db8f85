import { parseEnv } from "node:util";
import * as z from "zod";
import { TERMINAL_KEY_PREFIX } from "../../../shared/edge/auth/authenticate.ts";
import { parseKey } from "../../../shared/edge/auth/credentials.ts";
import { scopes } from "../../../shared/stores/partners.ts";
import type { Onboarding } from "../../../shared/use-cases/operator/onboarding/onboard.ts";
import { UsageError } from "../../tools/script.ts";
import { cloudOf, type Cloud } from "../common/cloud.ts";
import { subscriptionCommands } from "./az.ts";

// An onboarding as a text of lines `NAME=value`, which `node --env-file` and a POSIX shell read alike. The command reads it back.

const FIRST =
  "# The access of one partner, made by `partner onboard`. Its values are secret: hand them over once, and keep them in a vault.";
const LAST = "# This is the end of what `partner onboard` wrote.";

/** An onboarding, and the cloud for which it was chosen. */
export interface OnboardingOfCloud {
  readonly onboarding: Onboarding;
  readonly cloud: string;
}

/** The text of an onboarding for this cloud. Throws `UsageError` if a value cannot be written. */
export function onboardingText(onboarding: Onboarding, cloud: Cloud): string {
  const { partnerId, name, webhookUrl, webhookSecret, apikey, merchantId, merchantName, terminals } = onboarding;
  const baseUrl = baseUrlOf(cloud);
  const block: Readonly<Record<string, string | undefined>> = {
    BASE_URL: baseUrl,
    APIKEY: apikey,
    SUBSCRIPTION_KEY: cloud.around.subscriptionKey,
    MERCHANT_ID: merchantId,
    ...numbered(
      "TERMINAL_ID",
      terminals.map(({ terminalId }) => terminalId),
    ),
    WEBHOOK_SECRETS: webhookSecret,
    TERMINALS_URL: baseUrl === undefined ? undefined : `${baseUrl}/terminals`,
    ...numbered(
      "TERMINAL_KEY",
      terminals.map(({ terminalKey }) => terminalKey),
    ),
    PARTNER_ID: partnerId,
    PARTNER_NAME: name,
    MERCHANT_NAME: merchantName,
    WEBHOOK_URL: webhookUrl,
    SCOPES: onboarding.scopes.join(","),
    CLOUD: cloudOf(cloud),
  };
  const lines = Object.entries(block).flatMap(([key, value]) => [
    ...(comments(onboarding, cloud)[key] ?? []).map((line) => `# ${line}`),
    ...(value === undefined ? [] : [`${key}=${quotedValue(key, value)}`]),
  ]);
  return `${[FIRST, ...lines, LAST].join("\n")}\n`;
}

/** The address of the gateway. Azure gives a gateway this name, which it keeps beside any custom one. */
const baseUrlOf = ({ around: { baseUrl, apiManagement } }: Cloud): string | undefined =>
  baseUrl ?? (apiManagement === undefined ? undefined : `https://${apiManagement}.azure-api.net`);

/** The lines above a value, or in its place. */
function comments({ partnerId, name }: Onboarding, cloud: Cloud): Readonly<Record<string, readonly string[]>> {
  const { around, isLocal } = cloud;
  const ofStack =
    around.subscriptionKey === undefined ? ["SUBSCRIPTION_KEY is demo.subscriptionKey of the stack.json."] : [];
  const { subscription, subscriptionKey } = subscriptionCommands({ partnerId, name }, around);
  return {
    BASE_URL: baseUrlOf(cloud) === undefined ? ["BASE_URL is the address of the gateway."] : [],
    SUBSCRIPTION_KEY: isLocal
      ? ofStack
      : [`SUBSCRIPTION_KEY is made by: ${subscription}`, `and shown by: ${subscriptionKey}`],
    WEBHOOK_SECRETS: ["Two while a secret is rotated, with a space between them."],
    TERMINALS_URL: ["For the terminals."],
    PARTNER_ID: ["`partner onboard` reads the file again if it is repeated."],
  };
}

/** `NAME` for one value, otherwise `NAME_1`, `NAME_2` and so on. */
const numbered = (name: string, values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((value, at) => [values.length === 1 ? name : `${name}_${at + 1}`, value]));

/** In single quotes nothing is special to either reader, and neither can have a single quote there. Double quotes have more that is. */
function quotedValue(key: string, value: string): string {
  if (/^[\w.:/@%+=,-]*$/.test(value)) return value;
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`;
  if (!/["$`\\\p{Cc}]/u.test(value)) return `"${value}"`;
  throw new UsageError(
    `${key} cannot be written so that a shell and node read the same: it has a control character, or ' beside one of " $ \` \\.`,
  );
}

const written = z.object({
  APIKEY: z.string().regex(/^pk_[0-9a-f]{16}_[0-9a-f]{48}$/),
  WEBHOOK_SECRETS: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/),
  MERCHANT_ID: z.uuid(),
  MERCHANT_NAME: z.string().optional(),
  PARTNER_ID: z.uuid(),
  PARTNER_NAME: z.string(),
  WEBHOOK_URL: z.string().optional(),
  SCOPES: z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(z.enum(scopes)).min(1)),
  CLOUD: z.string(),
});
const writtenTerminal = z.object({
  terminalId: z.uuid(),
  terminalKey: z.string().regex(/^tk_[0-9a-f]{32}_[0-9a-f]{48}$/),
});

/** Reads such a text. Added lines do no harm. Throws an error that begins with the text's name and quotes no value. */
export function parsedOnboarding(text: string, file: string): OnboardingOfCloud {
  const lines = text.split("\n");
  if (lines[0] !== FIRST && !FIRST.startsWith(text))
    throw new UsageError(`${file} was not written by this command: name another file with --out.`);
  if (!lines.includes(LAST))
    throw new UsageError(
      `${file} is cut off. If the command was interrupted while it wrote the file, nothing was created: remove the file, and run the command again.`,
    );
  const env = parseEnv(text) as Readonly<Record<string, string>>;
  const read = written.safeParse(env);
  const terminals = z.array(writtenTerminal).min(1).safeParse(terminalsIn(env));
  if (!read.success || !terminals.success || !terminals.data.every(belongTogether))
    throw new UsageError(
      `${file} was changed: ${read.error?.issues.map(({ path }) => path.join(".")).join(", ") ?? "its terminals"} cannot be read.`,
    );
  const { data } = read;
  return {
    cloud: data.CLOUD,
    onboarding: {
      partnerId: data.PARTNER_ID,
      name: data.PARTNER_NAME,
      webhookUrl: data.WEBHOOK_URL,
      webhookSecret: data.WEBHOOK_SECRETS,
      apikey: data.APIKEY,
      scopes: data.SCOPES,
      merchantId: data.MERCHANT_ID,
      merchantName: data.MERCHANT_NAME,
      terminals: terminals.data,
    },
  };
}

/** The terminals with their keys, in the order of their numbers. */
function terminalsIn(env: Readonly<Record<string, string>>) {
  const suffixes = Object.keys(env).flatMap((key) => /^TERMINAL_(?:ID|KEY)((?:_\d+)?)$/.exec(key)?.[1] ?? []);
  return [...new Set(suffixes)]
    .toSorted((one, other) => Number(one.slice(1)) - Number(other.slice(1)))
    .map((suffix) => ({ terminalId: env[`TERMINAL_ID${suffix}`], terminalKey: env[`TERMINAL_KEY${suffix}`] }));
}

const belongTogether = ({ terminalId, terminalKey }: z.infer<typeof writtenTerminal>): boolean =>
  parseKey(terminalKey, TERMINAL_KEY_PREFIX)?.keyId === terminalId.replaceAll("-", "");
