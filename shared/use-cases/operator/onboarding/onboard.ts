import type { SigningSecrets } from "../../../ports/signing-secrets.ts";
import type { Scope } from "../../../stores/partners.ts";
import { eachOf } from "../../each-of.ts";
import { createKey } from "./keys.ts";
import type { NewKeys } from "./new-keys.ts";
import { createPartner, type Making } from "./partners.ts";
import { registerTerminal, type RegisterDeps } from "./terminals.ts";

export interface OnboardDeps extends RegisterDeps {
  readonly signing: Pick<SigningSecrets, "make">;
}

/** The properties of a new partner with its terminals. */
export interface OnboardingWish {
  readonly name: string;
  readonly webhookUrl?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly merchantName?: string | undefined;
  /** The number of terminals. */
  readonly terminals: number;
}

/** A partner with its key, its merchant and its terminals. All identifiers and secrets are chosen before anything is stored. */
export interface Onboarding extends Omit<OnboardingWish, "terminals"> {
  readonly partnerId: string;
  readonly webhookSecret: string;
  readonly apikey: string;
  readonly merchantId: string;
  readonly terminals: readonly ChosenTerminal[];
}

interface ChosenTerminal {
  readonly terminalId: string;
  readonly terminalKey: string;
}

/** Chooses all identifiers and secrets. Stores nothing. */
export function chooseOnboarding(
  { newKeys, signing }: Pick<OnboardDeps, "newKeys" | "signing">,
  { now, newId }: Making,
  { terminals, ...wish }: OnboardingWish,
): Onboarding {
  const partnerId = newId();
  return {
    ...wish,
    partnerId,
    webhookSecret: signing.make(partnerId, newId(), now()).text,
    apikey: newKeys.apiKey(partnerId).text,
    merchantId: newId(),
    terminals: Array.from({ length: terminals }, () => {
      const terminalId = newId();
      return { terminalId, terminalKey: newKeys.terminalKey({ terminalId, partnerId }).text };
    }),
  };
}

/** The parts of an onboarding that are not stored. */
export interface Missing {
  readonly partner: boolean;
  readonly key: boolean;
  /** The places of terminals among those of the onboarding, from 0. */
  readonly terminals: readonly number[];
}

/** The parts that are not stored. A retired terminal, a revoked key and a disabled partner are stored. Throws `Unavailable`. */
export async function missingOf(
  { partners, terminals, newKeys }: OnboardDeps,
  { partnerId, apikey, terminals: chosen }: Onboarding,
): Promise<Missing> {
  const { keyId } = newKeys.apiKey(partnerId, apikey);
  const [partner, key] = await Promise.all([partners.read(partnerId), partners.readKey(keyId)]);
  const stored = await eachOf(chosen, async ({ terminalId }) =>
    Boolean((await terminals.find(terminalId)) ?? (await terminals.findRetired(terminalId))),
  );
  return {
    partner: !partner,
    key: !key,
    terminals: stored.flatMap((isStored, at) => (isStored ? [] : [at])),
  };
}

/**
 * Stores what is missing, with the chosen identifiers and secrets, and changes nothing else. An interrupted call may be repeated with what
 * is missing then. Throws `Unavailable`, and `Conflict` if another call stores the same onboarding.
 */
export async function storeMissing(
  deps: OnboardDeps,
  { now, newId }: Making,
  onboarding: Onboarding,
  missing: Missing,
): Promise<void> {
  const { partnerId, name, webhookUrl, webhookSecret, scopes, apikey } = onboarding;
  const { newKeys, signing } = deps;
  const chosenSecret: typeof signing.make = (owner, secretId, at) => signing.make(owner, secretId, at, webhookSecret);
  if (missing.partner)
    await createPartner({ ...deps, signing: { make: chosenSecret } }, { now, newId }, { partnerId, name, webhookUrl });
  if (missing.key) await createKey({ ...deps, newKeys: withText(newKeys, apikey) }, { partnerId, scopes }, now());
  const some = onboarding.terminals
    .map((one, at) => ({ ...one, at }))
    .filter(({ at }) => missing.terminals.includes(at));
  await eachOf(some, ({ terminalId, terminalKey, at }) => {
    const { merchantId, merchantName } = onboarding;
    const wish = {
      idAsReceived: terminalId,
      partnerId,
      merchantId,
      merchantName,
      name: terminalName(at),
      strictOrders: false,
    };
    return registerTerminal({ ...deps, newKeys: withText(newKeys, terminalKey) }, wish, now());
  });
}

/** The name of a terminal by its place, from 0. */
export const terminalName = (at: number): string => `Terminal ${at + 1}`;

/** Makes the one key that has this text. */
const withText = (newKeys: NewKeys, text: string): NewKeys => ({
  apiKey: (partnerId) => newKeys.apiKey(partnerId, text),
  terminalKey: (terminal) => newKeys.terminalKey(terminal, text),
});
