import { lookup } from "node:dns/promises";
import { Agent as HttpAgent, type AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, Socket, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { CONTAINER_HOST, isLoopbackAddress, isLoopbackName, isPublicAddress } from "./public-address.ts";
import type { Resolve } from "./resolve.ts";

/** A name or address that webhooks must not reach. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
  constructor() {
    super("The address is not on the public internet.");
  }
}

export interface AddressRules {
  /**
   * Allows connections to loopback if the URL itself says loopback or `localhost`. Also allows `host.docker.internal`. This machine's own
   * hosts file, which Docker writes, resolves that name. If it is not listed, it is loopback.
   */
  readonly allowLocal: boolean;
  readonly resolve: Resolve;
  /** How this machine resolves `host.docker.internal`. */
  readonly resolveContainerHost?: Resolve;
}

/** An agent for each scheme. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/**
 * Agents that connect to public addresses only. The connection's own lookup makes the check. DNS therefore cannot give one address to the
 * check and another to the connection.
 */
export function publicOnlyAgents(rules: AddressRules, options: AgentOptions): Agents {
  // Both families are raced, so Node always asks for all addresses.
  const guarded = { ...options, lookup: publicOnlyLookup(rules), autoSelectFamily: true };
  const isPermitted = (ip: string) => isPublicAddress(ip) || (rules.allowLocal && isLoopbackAddress(ip));
  function checkLiterals<A extends HttpAgent>(agent: A): A {
    const connect = agent.createConnection.bind(agent);
    // An address that is written in the URL does not go through the lookup.
    agent.createConnection = (to, callback) => {
      const host = to.host ?? "";
      if (isIP(host) === 0 || isPermitted(host)) return connect(to, callback);
      callback?.(new RefusedAddress(), new Socket()); // the agent ignores this socket
      return undefined;
    };
    return agent;
  }
  return {
    http: checkLiterals(new HttpAgent(guarded)),
    https: checkLiterals(new HttpsAgent({ ...guarded, ALPNProtocols: ["http/1.1"] })),
  };
}

function publicOnlyLookup({ allowLocal, resolve, resolveContainerHost = bySystem }: AddressRules): LookupFunction {
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
  return (hostname, _options, callback) => addresses(hostname, (error, found) => callback(error, found ?? []));
}

const loopback: readonly string[] = ["127.0.0.1", "::1"];

const bySystem: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

const withFamily = (address: string) => ({ address, family: isIP(address) });
