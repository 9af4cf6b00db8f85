import { Resolver } from "node:dns/promises";

/** Returns all addresses of a name. Rejects if there is none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries DNS over the network, for both families. Node's usual `dns.lookup` blocks one of the four threads that the whole process shares.
 * A few names without a responding server would then delay all other partners' webhooks.
 */
export function dnsResolver({ servers }: { readonly servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = lookups.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const failed = lookups.find((one) => one.status === "rejected");
    if (addresses.length === 0 && failed) throw failed.reason;
    return addresses;
  };
}
