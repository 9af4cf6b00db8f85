import { KEY_LIFE_SECONDS } from "../../../../shared/domain/api-key.ts";
import { scopes } from "../../../../shared/stores/partners.ts";
import {
  chooseOnboarding,
  missingOf,
  storeMissing,
  terminalName,
  type Missing,
  type Onboarding,
  type OnboardingWish,
} from "../../../../shared/use-cases/operator/onboarding/onboard.ts";
import { UsageError } from "../../../tools/script.ts";
import { cloudOf, type Cloud } from "../../common/cloud.ts";
import { clock, connectTables, keyMaker, newId, signingOf } from "../../common/platform.ts";
import { subscriptionOf } from "../az.ts";
import { command, type Context } from "../command.ts";
import { readOnboarding, writeOnboarding } from "../onboarding-file.ts";
import { onboardingText } from "../onboarding-text.ts";
import { listOf, numberMatching, oneOf, option, required, standard, text as anyText } from "../words.ts";
import { partnerName, refuseWebhookUrl } from "./partner-words.ts";
import { merchantNameOf } from "./terminal-words.ts";

const count = numberMatching(/^(?:[1-9]|[1-9]\d|100)$/, "--terminals takes 1 to 100.");
const making = { now: clock.now, newId };

export const onboard = command({
  name: "onboard",
  does: "creates a partner with its key, its webhook secret and the terminals of a merchant, and writes them into a new file",
  details:
    "The file is written first, and is the only place of the secrets. `node --env-file` and a shell can read it. If the command breaks off, run\nit again with the same words: it reads the file, and creates only what is missing. It never changes what is there.",
  words: [
    required("--name <text>", "the partner's name: up to 100 characters", partnerName),
    option("--merchant-name <text>", "the merchant's name: up to 100 characters", merchantNameOf("--merchant-name")),
    standard("--terminals <count>", "how many terminals: 1 to 100", count, "1"),
    option("--webhook-url <url>", "the address of webhooks for payments that name no address", anyText),
    standard(
      "--scopes <scope,…>",
      `what the key may be used for: ${scopes.join(", ")}`,
      listOf(oneOf(scopes)),
      "payments,refunds",
    ),
    required("--out <file>", "the file to write; only you may read it", anyText),
  ],
  examples: [
    'partner onboard --name Kassabolaget --merchant-name "Café Kassa" --terminals 3 --webhook-url https://kassabolaget.example/events --out kassabolaget.env',
  ],
  writes: true,
  confirms: true,
  async run({ out, ...wish }, context) {
    const before = await readOnboarding(out);
    if (before) refuseOther(out, before.onboarding, wish);
    const cloud = await context.find();
    if (before && before.cloud !== cloudOf(cloud))
      throw new UsageError(`${out} is for another cloud: ${before.cloud}.`);
    refuseWebhookUrl(cloud, wish.webhookUrl);
    const deps = { ...connectTables(cloud), newKeys: keyMaker(cloud), signing: signingOf(cloud) };
    const onboarding = before?.onboarding ?? chooseOnboarding(deps, making, wish);
    const missing = before ? await missingOf(deps, onboarding) : everythingOf(onboarding);
    const parts = partsOf(onboarding, missing);
    if (parts.length === 0) context.note(`Everything in ${out} is there. Nothing was changed.`);
    else {
      const text = before ? undefined : onboardingText(onboarding, cloud);
      await begin(context, out, { parts, text });
      await context
        .connect()
        .then(() => storeMissing(deps, making, onboarding, missing))
        .catch((error: unknown) => {
          context.note(`Run the same command again: it creates what is missing of ${out}.`);
          throw error;
        });
    }
    return shown(onboarding, cloud, { out, keyID: deps.newKeys.apiKey(onboarding.partnerId, onboarding.apikey).keyId });
  },
});

/** Says what is to be created, waits for the confirmation, and writes a new file. */
async function begin(
  { note, confirm }: Context,
  file: string,
  { parts, text }: { readonly parts: readonly string[]; readonly text: string | undefined },
): Promise<void> {
  note(`To be created, with the secrets in ${text === undefined ? "" : "the new file "}${file}:`);
  for (const part of parts) note(part);
  await confirm("Create them?");
  if (text !== undefined) await writeOnboarding(file, text);
}

/** The identifiers. The secrets are only in the file. */
const shown = (
  { partnerId, name, merchantId, merchantName, terminals }: Onboarding,
  cloud: Cloud,
  { out, keyID }: { readonly out: string; readonly keyID: string },
) => ({
  partnerID: partnerId,
  name,
  keyID,
  merchantID: merchantId,
  merchantName,
  terminals: terminals.length,
  file: out,
  ...subscriptionOf({ partnerId, name }, cloud),
});

/** Nothing of a new onboarding is stored. */
const everythingOf = ({ terminals }: Onboarding): Missing => ({
  partner: true,
  key: true,
  terminals: [...terminals.keys()],
});

/** The parts that are to be created, one line for each. */
function partsOf(onboarding: Onboarding, missing: Missing): readonly string[] {
  const { name, webhookUrl, scopes, merchantName, merchantId, terminals } = onboarding;
  const webhooks = webhookUrl === undefined ? "no address for webhooks" : `webhooks to ${webhookUrl}`;
  const names = missing.terminals.map(terminalName);
  const isRange = names.length > 3 && names.length === terminals.length;
  const range = isRange ? `${names[0]} to ${names.at(-1)}` : names.join(", ");
  return [
    ...(missing.partner ? [`  the partner ${name}, with a webhook secret and ${webhooks}`] : []),
    ...(missing.key ? [`  an API key for ${scopes.join(", ")}, for ${KEY_LIFE_SECONDS / 86_400} days`] : []),
    ...(names.length > 0 ? [`  for the merchant ${merchantName ?? merchantId}: ${range}`] : []),
  ];
}

/** Throws if the file was made with other words. */
function refuseOther(file: string, { terminals, ...made }: Onboarding, wish: OnboardingWish): void {
  const before: OnboardingWish = { ...made, terminals: terminals.length };
  const typed: Readonly<Record<string, (of: OnboardingWish) => string | undefined>> = {
    "--name": ({ name }) => name,
    "--merchant-name": ({ merchantName }) => merchantName,
    "--terminals": (of) => String(of.terminals),
    "--webhook-url": ({ webhookUrl }) => webhookUrl,
    "--scopes": ({ scopes }) => scopes.toSorted().join(","),
  };
  const others = Object.entries(typed).filter(([, value]) => value(before) !== value(wish));
  if (others.length === 0) return;
  const was = others.map(([option, value]) =>
    `${value(before) === undefined ? "no " : ""}${option} ${value(before) ?? ""}`.trim(),
  );
  throw new UsageError(`${file} was made with ${was.join(", ")}. Repeat these words, or name another file with --out.`);
}
