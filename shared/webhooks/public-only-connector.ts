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
   * Allows connections to loopback if the URL itself says loopback or `localhost`. Also allows `host.docker.internal`. This machine's own
   * hosts file, which Docker writes, resolves that name. If it is not listed, it is loopback.
   */
  readonly allowLocal: boolean;
  readonly resolve: Resolve;
  /** How this machine resolves `host.docker.internal`. */
  readonly resolveContainerHost?: Resolve;
  readonly timeoutMs: number;
}

/**
 * Connects to public addresses only. The connection's own lookup makes the check. DNS therefore cannot give one address to the check and
 * another to the connection.
 */
export function publicOnlyConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowLocal, resolve, resolveContainerHost = bySystem, timeoutMs } = options;
  async function permittedAddresses(hostname: string) {
    if (allowLocal && isLoopbackName(hostname)) return loopback.map(withFamily);
    if (allowLocal && hostname === CONTAINER_HOST)
      return (await resolveContainerHost(hostname).catch(() => loopback)).map(withFamily);
    const addresses = await resolve(hostname);
    // One address that is not public is enough to reject the name. A name that mixes them is an attack, or a mistake that would fail
    // intermittently.
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
    // An address that is written in the URL does not go through the lookup.
    if (isIP(options.hostname) !== 0 && !mayConnect(options.hostname)) callback(new RefusedAddress(), null);
    else connect(options, callback);
  };
}

const loopback: readonly string[] = ["127.0.0.1", "::1"];

const bySystem: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

const withFamily = (address: string) => ({ address, family: isIP(address) });
