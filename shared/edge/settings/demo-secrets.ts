import type { ConnectionConfig } from "./connection-settings.ts";
import { addressHere, areTablesHere, isStringHere, namespaceHere } from "./this-machine.ts";

/**
 * The prefix of each secret that is published with this repository. `npm start` and `local.settings.example.json` only use such secrets.
 */
export const DEMO_SECRET_PREFIX = "demo-only-";

/** The password of the demo's consumer, which is published too. */
export const DEMO_PASSWORD = `${DEMO_SECRET_PREFIX}shop-password-of-npm-start`;

/** Whether one of these secrets is the demo's. */
export const holdsDemoSecret = (secrets: Readonly<Record<string, string>>): boolean =>
  Object.values(secrets).some((secret) => secret.startsWith(DEMO_SECRET_PREFIX));

/** Whether both the tables and the Service Bus are on this machine. False if an address cannot be read. */
export const areHere = ({ tables, serviceBus }: ConnectionConfig): boolean =>
  (typeof tables === "string" ? areTablesHere(tables) : addressHere.test(tables.endpoint)) &&
  (typeof serviceBus === "string" ? isStringHere(serviceBus, "endpoint") : namespaceHere.test(serviceBus.namespace));
