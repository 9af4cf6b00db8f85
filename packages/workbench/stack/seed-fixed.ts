import { signingSecrets } from "../../../shared/edge/auth/signing-secrets.ts";
import { scopes } from "../../../shared/stores/partners.ts";
import { azureTables } from "../../../shared/adapters/tables/azure-tables.ts";
import { tablePorts } from "../../../shared/stores/stores.ts";
import { createKey } from "../../../shared/use-cases/operator/onboarding/keys.ts";
import { createPartner } from "../../../shared/use-cases/operator/onboarding/partners.ts";
import { registerTerminal } from "../../../shared/use-cases/operator/onboarding/terminals.ts";
import { fixedKeys, fixedPartner } from "./fixed-keys.ts";
import {
  DEMO_MERCHANT,
  DEMO_NAME,
  triedAgain,
  type DemoPartner,
  type PartnerSettings,
  type SeedTarget,
} from "../../../infra/operator/common/seed.ts";
import { ignoreConflict } from "../../../infra/operator/common/ignore-conflict.ts";

/**
 * Adds the demo's partner with its fixed identifiers and keys, and with the terminal of the live page. Retries if the tables do not respond
 * in time. Leaves existing rows as they are: an earlier try may have made them, or an operator may have changed them in kept tables.
 */
export async function seedFixedPartner(
  { tables, peppers, webhookSecretKeys }: SeedTarget,
  { webhookUrl }: Pick<PartnerSettings, "webhookUrl">,
): Promise<DemoPartner> {
  const signing = signingSecrets(webhookSecretKeys, () => fixedPartner.webhookSecret);
  const deps = { ...tablePorts(azureTables(tables)), newKeys: fixedKeys(peppers), signing };
  const now = new Date().toISOString();
  const { partnerID: partnerId, merchantID: merchantId, terminals } = fixedPartner;
  const make = async () => {
    await ignoreConflict(
      createPartner(deps, { now: () => now, newId: () => partnerId }, { name: DEMO_NAME, webhookUrl }),
    );
    await ignoreConflict(createKey(deps, { partnerId, scopes }, now));
    await Promise.all(
      Object.entries(terminals).map(([name, { pointOfServiceID: idAsReceived }]) =>
        registerTerminal(
          deps,
          {
            idAsReceived,
            partnerId,
            merchantId,
            merchantName: DEMO_MERCHANT,
            name: capitalized(name),
            strictOrders: false,
          },
          now,
        ),
      ),
    );
    return fixedPartner;
  };
  return triedAgain(make);
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
