import { randomBytes, randomUUID } from "node:crypto";
import { TableServiceClient } from "@azure/data-tables";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX } from "../../shared/auth/authenticate.ts";
import { hashSecret, type Peppers } from "../../shared/auth/credentials.ts";
import { scopes } from "../../shared/ports/partners.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { tablePorts } from "../../shared/tables/table-ports.ts";

export interface DemoTerminal {
  readonly pointOfServiceID: string;
  readonly terminalKey: string;
}
/** What a new user needs for a first payment. */
export interface DemoPartner {
  readonly partnerID: string;
  readonly apikey: string;
  readonly webhookSecret: string;
  readonly merchantID: string;
  readonly terminals: { readonly autopilot: DemoTerminal; readonly silent: DemoTerminal };
}

export interface SeedTarget {
  readonly tables: string;
  readonly peppers: Peppers;
}

export async function createTables(connection: string): Promise<void> {
  const service = TableServiceClient.fromConnectionString(connection, { allowInsecureConnection: true });
  await Promise.all(Object.values(tableNames).map((name) => service.createTable(name)));
}

/** Adds a partner with a key for everything, a merchant, and two terminals: the autopilot plays one, the user plays the other. */
export async function seedPartner(
  target: SeedTarget,
  settings: { readonly strictOrders?: boolean } = {},
): Promise<DemoPartner> {
  const { partners, terminals } = tablePorts(azureTables(target.tables));
  const [[pepperId, pepper] = ["", ""]] = Object.entries(target.peppers);
  const secret = () => randomBytes(24).toString("hex");

  const partnerId = randomUUID();
  const merchantId = randomUUID();
  const webhookSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const keyId = randomBytes(8).toString("hex");
  const keySecret = secret();
  await partners.save({ partnerId, name: "Demo partner", webhookSecrets: [webhookSecret] });
  await partners.saveKey({ keyId, partnerId, hash: hashSecret(keySecret, pepper), pepperId, scopes });

  const addTerminal = async (name: string): Promise<DemoTerminal> => {
    const terminalId = randomUUID();
    const terminalSecret = secret();
    await terminals.save(
      {
        terminalId,
        idAsReceived: terminalId,
        partnerId,
        merchantId,
        name,
        status: "available",
        strictOrders: settings.strictOrders ?? false,
        keyHash: hashSecret(terminalSecret, pepper),
        pepperId,
        updatedAt: new Date().toISOString(),
      },
      undefined,
    );
    await partners.addTerminal(partnerId, terminalId);
    const terminalKey = `${TERMINAL_KEY_PREFIX}_${terminalId.replaceAll("-", "")}_${terminalSecret}`;
    return { pointOfServiceID: terminalId, terminalKey };
  };
  const [autopilot, silent] = await Promise.all([addTerminal("Autopilot"), addTerminal("Silent")]);
  return {
    partnerID: partnerId,
    apikey: `${API_KEY_PREFIX}_${keyId}_${keySecret}`,
    webhookSecret,
    merchantID: merchantId,
    terminals: { autopilot, silent },
  };
}
