import type { ConnectionConfig } from "./connection-settings.ts";

/**
 * The prefix of each secret that is published with this repository. `npm start` and `local.settings.example.json` only use such secrets.
 */
export const DEMO_SECRET_PREFIX = "demo-only-";

/** The password of the demo's consumer, which is published too. */
export const DEMO_PASSWORD = `${DEMO_SECRET_PREFIX}shop-password-of-npm-start`;

/**
 * Matches a whole address of this machine, optionally with port and path. Nothing else matches: a client must not use a public secret with
 * an address that it may read differently.
 */
const hostHere = /(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?/;
const namespaceHere = new RegExp(`^${hostHere.source}$`, "i");
const addressHere = new RegExp(`^(?:https?|sb)://${hostHere.source}(?:/[\\w-]*)*$`, "i");

/** Whether one of these secrets is the demo's. */
export const holdsDemoSecret = (secrets: Readonly<Record<string, string>>): boolean =>
  Object.values(secrets).some((secret) => secret.startsWith(DEMO_SECRET_PREFIX));

/** Whether both the tables and the Service Bus are on this machine. False if an address cannot be read. */
export const areHere = ({ tables, serviceBus }: ConnectionConfig): boolean =>
  (typeof tables === "string" ? areTablesHere(tables) : addressHere.test(tables.endpoint)) &&
  (typeof serviceBus === "string" ? isStringHere(serviceBus, "endpoint") : namespaceHere.test(serviceBus.namespace));

const areTablesHere = (connection: string): boolean =>
  isEmulator(connection) || isStringHere(connection, "tableendpoint");

/** Whether a connection string leads to tables of another machine over http, which anyone on the way can read. */
export const isReadableOnTheWay = (connection: string): boolean =>
  /(?:^|;)\s*(?:DefaultEndpointsProtocol\s*=\s*http\s*(?:;|$)|TableEndpoint\s*=\s*http:)/i.test(connection) &&
  !areTablesHere(connection);

/** Whether it is the storage emulator, which is on this machine. Nothing else may follow its name. */
const isEmulator = (connection: string): boolean => /^UseDevelopmentStorage=true;?$/i.test(connection.trim());

/**
 * Whether a connection string names only addresses of this machine, and has the member `named`, from which its client takes the address.
 * Without that member, clients build an address from other members.
 */
function isStringHere(connection: string, named: string): boolean {
  const members = connection.split(";").map((member) => member.trim().split(/=(.*)/s));
  const addresses = members.filter(([name = ""]) => /(?:endpoint|suffix|uri)\s*$/i.test(name));
  return (
    members.some(([name = ""]) => name.toLowerCase() === named) &&
    addresses.every(([, address = ""]) => addressHere.test(address))
  );
}
