import * as z from "zod";
import { IS_MISSING } from "../../ports/wrong-settings.ts";
import { isReadableOnTheWay } from "./this-machine.ts";

// The settings with which the app and the operator's commands reach tables and queues. They are a connection string, which holds a key, or
// names for which an identity gets tokens.

/** The client ID of a user-assigned identity. Without it, the system-assigned identity is used. */
interface Identified {
  readonly clientId?: string;
}

/** A connection string, or the https address of the account's tables. */
export type TablesConnection = string | ({ readonly endpoint: string } & Identified);

/** A connection string, or the full name of the namespace. */
export type BusConnection = string | ({ readonly namespace: string } & Identified);

export interface ConnectionConfig {
  readonly tables: TablesConnection;
  readonly serviceBus: BusConnection;
}

/** Azure's own clients use the exact name if it is set. If its value is empty, none of them would say what is wrong. */
const connectionString = z
  .string()
  .min(1, "is empty, and hides the settings whose names begin with it: remove it, or set a connection string")
  .optional();

const clientId = z.guid("must be the client ID of a user-assigned identity").optional();
const ofIdentity = {
  means: "The client ID of the app's user-assigned identity, if it has one.",
  needed: "the system-assigned identity",
};

const credential = z
  .string()
  .regex(/^managedidentity$/i, "must be managedidentity, or left out")
  .optional();

const oneOfThree = "one of the three";
const oneOfTwo = "one of the two";

/** The settings of both connections. `needed` is shown as their default: it says what applies if the setting is absent. */
export const connectionSettings = z.object({
  TABLES_CONNECTION: connectionString
    .refine((value) => value === undefined || !isReadableOnTheWay(value), "must use https, or lead to this machine")
    .meta({
      means:
        "The connection string of the storage account that holds the tables. If it is set, the names and the identity below are ignored.",
      secret: true,
      needed: oneOfThree,
    }),
  TABLES_CONNECTION__accountName: z
    .string()
    .regex(/^[a-z0-9]{3,24}$/, "must be the name of a storage account")
    .optional()
    .meta({
      means: "The name of the storage account, if the app's identity has access to its tables.",
      needed: oneOfThree,
    }),
  TABLES_CONNECTION__endpoint: z
    .string()
    .regex(/^https:\/\/[^\s?#@]+$/, "must be an https address without a signature")
    .optional()
    .meta({
      means:
        "The address of the account's tables instead of its name, if it is not `https://<account>.table.core.windows.net`.",
      needed: oneOfThree,
    }),
  TABLES_CONNECTION__clientId: clientId.meta(ofIdentity),
  TABLES_CONNECTION__credential: credential.meta({
    means: "The kind of the identity. The app supports only one kind.",
    needed: "`managedidentity`",
  }),
  SERVICE_BUS_CONNECTION: connectionString.meta({
    means:
      "The connection string of the Service Bus namespace. If it is set, the name and the identity below are ignored. The host's queue triggers also read this setting and the next three.",
    secret: true,
    needed: oneOfTwo,
  }),
  SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i, "must be like <namespace>.servicebus.windows.net, without a key")
    .optional()
    .meta({
      means: "The namespace, `<namespace>.servicebus.windows.net`, if the app's identity has access to its queues.",
      needed: oneOfTwo,
    }),
  SERVICE_BUS_CONNECTION__clientId: clientId.meta(ofIdentity),
  SERVICE_BUS_CONNECTION__credential: credential.meta({
    means:
      "The kind of the identity, `managedidentity`. Set it, because otherwise the host's triggers try other kinds first.",
    needed: "`managedidentity` for the app",
  }),
});

type Settings = z.infer<typeof connectionSettings>;
type Complain = (setting: keyof Settings, message: string) => undefined;

/** Reads both connections. A problem is an issue of the setting that it is about. */
export const connectionsOfSettings = connectionSettings.transform((settings, context): ConnectionConfig => {
  const complain: Complain = (setting, message) => {
    context.addIssue({ code: "custom", message, path: [setting] });
    return undefined;
  };
  const [tables, serviceBus] = [tablesIn(settings, complain), serviceBusIn(settings, complain)];
  return tables === undefined || serviceBus === undefined ? z.NEVER : { tables, serviceBus };
});

function tablesIn(settings: Settings, complain: Complain): TablesConnection | undefined {
  const { TABLES_CONNECTION: exact, TABLES_CONNECTION__accountName: account } = settings;
  const { TABLES_CONNECTION__endpoint: endpoint, TABLES_CONNECTION__clientId: id } = settings;
  if (exact !== undefined) return exact;
  if (account !== undefined && endpoint !== undefined) {
    return complain(
      "TABLES_CONNECTION__endpoint",
      "names the account, as TABLES_CONNECTION__accountName does: remove one of them",
    );
  }
  const address = account === undefined ? endpoint?.replace(/\/$/, "") : `https://${account}.table.core.windows.net`;
  if (address !== undefined) return { endpoint: address, ...(id !== undefined && { clientId: id }) };
  return complain(
    "TABLES_CONNECTION",
    `${IS_MISSING}; with an identity, set TABLES_CONNECTION__accountName or TABLES_CONNECTION__endpoint`,
  );
}

function serviceBusIn(settings: Settings, complain: Complain): BusConnection | undefined {
  const { SERVICE_BUS_CONNECTION: exact, SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: namespace } = settings;
  const { SERVICE_BUS_CONNECTION__clientId: id } = settings;
  if (exact !== undefined) return exact;
  if (namespace !== undefined) return { namespace, ...(id !== undefined && { clientId: id }) };
  return complain(
    "SERVICE_BUS_CONNECTION",
    `${IS_MISSING}; with an identity, set SERVICE_BUS_CONNECTION__fullyQualifiedNamespace`,
  );
}

/**
 * The connection as an adapter takes it, with a credential instead of the identity. A connection string has its own key and is returned
 * unchanged.
 */
export function withCredential<Address extends Identified, Credential>(
  connection: string | Address,
  credentialOf: (clientId: string | undefined) => Credential,
): string | (Omit<Address, "clientId"> & { readonly credential: Credential }) {
  if (typeof connection === "string") return connection;
  const { clientId, ...address } = connection;
  return { ...address, credential: credentialOf(clientId) };
}
