import type { ConnectionConfig } from "./connection-settings.ts";

/** How each secret begins that is published with this repository. `npm start` and `local.settings.example.json` use no others. */
export const DEMO_SECRET_PREFIX = "demo-only-";

/** The password of the demo's consumer, which is published too. */
export const DEMO_PASSWORD = `${DEMO_SECRET_PREFIX}shop-password-of-npm-start`;

/**
 * A whole address of this machine, optionally with port and path. Nothing else passes: what the clients might read in another way than this
 * does, they are not given with a public secret.
 */
const hostHere = /(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?/;
const namespaceHere = new RegExp(`^${hostHere.source}$`, "i");
const addressHere = new RegExp(`^(?:https?|sb)://${hostHere.source}(?:/[\\w-]*)*$`, "i");

/** Whether one of these secrets is the demo's. */
export const holdsDemoSecret = (secrets: Readonly<Record<string, string>>): boolean =>
  Object.values(secrets).some((secret) => secret.startsWith(DEMO_SECRET_PREFIX));

/** Whether both the tables and the Service Bus are on this machine. What cannot be read is elsewhere. */
export const areHere = ({ tables, serviceBus }: ConnectionConfig): boolean =>
  (typeof tables === "string"
    ? isEmulator(tables) || isStringHere(tables, "tableendpoint")
    : addressHere.test(tables.endpoint)) &&
  (typeof serviceBus === "string" ? isStringHere(serviceBus, "endpoint") : namespaceHere.test(serviceBus.namespace));

/** The storage emulator, which is here: nothing else stands beside its name. */
const isEmulator = (connection: string): boolean => /^UseDevelopmentStorage=true;?$/i.test(connection.trim());

/**
 * Whether a connection string has the member from which its client takes the address, by that very name, and names no address that is not
 * here. Without that member the clients make an address of other ones.
 */
function isStringHere(connection: string, named: string): boolean {
  const members = connection.split(";").map((member) => member.trim().split(/=(.*)/s));
  const addresses = members.filter(([name = ""]) => /(?:endpoint|suffix|uri)\s*$/i.test(name));
  return (
    members.some(([name = ""]) => name.toLowerCase() === named) &&
    addresses.every(([, address = ""]) => addressHere.test(address))
  );
}
