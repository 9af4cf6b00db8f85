import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import { CONTAINER_HOST, isLoopbackAddress, isLoopbackName, isPublicAddress } from "./public-address.ts";
import type { Resolve } from "./resolve.ts";

/** A name or address that webhooks must not reach. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
  constructor() {
    super("The address is not on the public internet.");
  }
}

export interface ConnectorOptions {
  /**
   * Lets connections to loopback through when the URL itself says loopback or `localhost`, and those to `host.docker.internal`: to where this
   * machine's own list of hosts leads it, which Docker writes, or to loopback where it is not listed.
   */
  readonly allowLocal: boolean;
  readonly resolve: Resolve;
  /** How this machine resolves `host.docker.internal`. */
  readonly resolveContainerHost?: Resolve;
  readonly timeoutMs: number;
}

/**
 * Connects to public addresses only. The check is part of the connection's own lookup, so that DNS cannot give one address to the check and
 * another to the connection.
 */
export function publicOnlyConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowLocal, resolve, resolveContainerHost = bySystem, timeoutMs } = options;
  async function permittedAddresses(hostname: string) {
    if (allowLocal && isLoopbackName(hostname)) return loopback.map(withFamily);
    if (allowLocal && hostname === CONTAINER_HOST)
      return (await resolveContainerHost(hostname).catch(() => loopback)).map(withFamily);
    const addresses = await resolve(hostname);
    // One address that is not public refuses the name: a name that mixes them is an attack, or a mistake that would fail from time to time.
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new RefusedAddress();
    return addresses.map(withFamily);
  }

  const addresses = callbackify(permittedAddresses);
  // Both families are raced (autoSelectFamily), so Node always asks for all addresses.
  const lookUp: LookupFunction = (hostname, _options, callback) =>
    addresses(hostname, (error, found) => callback(error, found ?? []));

  const mayConnect = (ip: string) => isPublicAddress(ip) || (allowLocal && isLoopbackAddress(ip));
  const connect = buildConnector({ lookup: lookUp, autoSelectFamily: true, timeout: timeoutMs });
  return (options, callback) => {
    // An address that is written in the URL does not pass the lookup.
    if (isIP(options.hostname) !== 0 && !mayConnect(options.hostname)) callback(new RefusedAddress(), null);
    else connect(options, callback);
  };
}

const loopback: readonly string[] = ["127.0.0.1", "::1"];

const bySystem: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

const withFamily = (address: string) => ({ address, family: isIP(address) });
