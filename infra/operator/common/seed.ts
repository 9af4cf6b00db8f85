import { randomUUID } from "node:crypto";
import type { Peppers } from "../../../shared/edge/auth/credentials.ts";
import { newKeys } from "./new-keys.ts";
import { signingSecrets, type WebhookSecretKeys } from "../../../shared/edge/auth/signing-secrets.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { scopes } from "../../../shared/stores/partners.ts";
import { azureTables, type TablesAccount } from "../../../shared/adapters/tables/azure-tables.ts";
import { tablePorts } from "../../../shared/stores/stores.ts";
import { createKey } from "../../../shared/use-cases/operator/onboarding/keys.ts";
import { createPartner } from "../../../shared/use-cases/operator/onboarding/partners.ts";
import { registerTerminal } from "../../../shared/use-cases/operator/onboarding/terminals.ts";

export interface DemoTerminal {
  readonly pointOfServiceID: string;
  readonly terminalKey: string;
}
/** The objects that a new user needs for a first payment. */
export interface DemoPartner {
  readonly partnerID: string;
  readonly apikey: string;
  readonly webhookSecret: string;
  readonly merchantID: string;
  readonly terminals: {
    readonly autopilot: DemoTerminal;
    readonly silent: DemoTerminal;
    /** Played by people on the live page. Only a stack's own demo has it. */
    readonly counter?: DemoTerminal;
  };
}

const noTerminal: DemoTerminal = { pointOfServiceID: "", terminalKey: "" };
/** Placeholder for a cloud whose operator has not created a partner yet. */
export const noPartner: DemoPartner = {
  partnerID: "",
  apikey: "",
  webhookSecret: "",
  merchantID: "",
  terminals: { autopilot: noTerminal, silent: noTerminal },
};

export interface SeedTarget {
  readonly tables: TablesAccount;
  readonly peppers: Peppers;
  readonly webhookSecretKeys: WebhookSecretKeys;
}

export interface PartnerSettings {
  readonly strictOrders?: boolean;
  readonly name?: string;
  /** The address of webhooks, for payments that name no address. */
  readonly webhookUrl?: string | undefined;
  /** Adds the terminal that people play on the live page. */
  readonly withCounter?: boolean;
}

export const DEMO_NAME = "Demo partner";
export const DEMO_MERCHANT = "Demo Kiosk";

/** The number of tries to make a partner. On a machine that is busy starting a stack, a call to the tables may time out. */
const TRIES = 3;

/**
 * Adds a partner with a key for everything, a merchant, and two terminals. The autopilot plays one terminal, and the user plays the other.
 * If the tables time out, it makes a new partner, and the parts of the first one stay unused.
 */
export const seedPartner = (target: SeedTarget, settings: PartnerSettings = {}): Promise<DemoPartner> =>
  triedAgain(() => makePartner(target, settings));

/** Tries again, up to `TRIES` times, if the tables time out. */
export async function triedAgain<Made>(make: () => Promise<Made>): Promise<Made> {
  for (let tries = 1; ; tries++) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === TRIES) throw error;
    }
  }
}

async function makePartner(
  { tables, peppers, webhookSecretKeys }: SeedTarget,
  { strictOrders = false, name = DEMO_NAME, webhookUrl, withCounter = false }: PartnerSettings,
): Promise<DemoPartner> {
  const signing = signingSecrets(webhookSecretKeys);
  const deps = { ...tablePorts(azureTables(tables)), newKeys: newKeys(peppers), signing };
  const now = new Date().toISOString();
  const merchantId = randomUUID();
  const making = { now: () => now, newId: randomUUID };
  const { partner, webhookSecret } = await createPartner(deps, making, { name, webhookUrl });
  const { partnerId } = partner;
  const { apikey } = await createKey(deps, { partnerId, scopes }, now);

  const addTerminal = async (name: string): Promise<DemoTerminal> => {
    const idAsReceived = randomUUID();
    const wish = { idAsReceived, partnerId, merchantId, merchantName: DEMO_MERCHANT, name, strictOrders };
    const registered = await registerTerminal(deps, wish, now);
    if (!registered) throw new Error(`the terminal ${idAsReceived} is registered already`);
    return { pointOfServiceID: idAsReceived, terminalKey: registered.terminalKey };
  };
  const [autopilot, silent, counter] = await Promise.all([
    addTerminal("Autopilot"),
    addTerminal("Silent"),
    withCounter ? addTerminal("Counter") : undefined,
  ]);
  const terminals = { autopilot, silent, ...(counter && { counter }) };
  return { partnerID: partnerId, apikey, webhookSecret, merchantID: merchantId, terminals };
}
