// Addresses of this machine, in settings. Tables and the Service Bus of a local cloud have no other.

/**
 * Matches a whole address of this machine, optionally with port and path. Nothing else matches: a client must not use a public secret with
 * an address that it may read differently.
 */
const hostHere = /(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?/;
/** Matches a Service Bus namespace of this machine. */
export const namespaceHere = new RegExp(`^${hostHere.source}$`, "i");
/** Matches an address of this machine. */
export const addressHere = new RegExp(`^(?:https?|sb)://${hostHere.source}(?:/[\\w-]*)*$`, "i");

/** Whether a connection string leads to tables of this machine. */
export const areTablesHere = (connection: string): boolean =>
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
export function isStringHere(connection: string, named: string): boolean {
  const members = connection.split(";").map((member) => member.trim().split(/=(.*)/s));
  const addresses = members.filter(([name = ""]) => /(?:endpoint|suffix|uri)\s*$/i.test(name));
  return (
    members.some(([name = ""]) => name.toLowerCase() === named) &&
    addresses.every(([, address = ""]) => addressHere.test(address))
  );
}
