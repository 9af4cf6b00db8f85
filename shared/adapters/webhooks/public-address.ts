import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The only part of IPv6 that is assigned to the internet. All other addresses are rejected, including ranges that no list names yet. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** The test network 6bone. It was returned in 2006 and is not assigned again. */
const sixBone = ipaddr.IPv6.parseCIDR("3ffe::/16");

/** Azure's platform services respond here on every machine, although the address is in a public range. */
const AZURE_PLATFORM = "168.63.129.16";

/**
 * Whether an address in its usual spelling belongs to the public internet. Anything else is not public: names, zones (`fe80::1%eth0`) and
 * short forms (`127.1`). IPv4 wrapped in IPv6 is public if the IPv4 address is.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes("%") || !ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  if (address.range() !== "unicast" || address.toString() === AZURE_PLATFORM) return false;
  return address.kind() === "ipv4" || (address.match(globalUnicast) && !address.match(sixBone));
}

/** Whether an address in its usual spelling is loopback: `127.0.0.0/8` or `::1`. */
export const isLoopbackAddress = (ip: string): boolean => isIP(ip) !== 0 && ipaddr.process(ip).range() === "loopback";

/** Programs in containers, and programs next to them, use this name for the machine that runs the containers. */
export const CONTAINER_HOST = "host.docker.internal";

/** Whether a name means this machine by definition, whatever DNS says. */
export const isLoopbackName = (name: string): boolean => /^(?:.+\.)?localhost$/i.test(name);

export type UrlCheck = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface UrlRules {
  /**
   * Allows http and any port for addresses of this machine and for `host.docker.internal`. This is for partners' servers next to a local
   * cloud.
   */
  readonly allowLocal: boolean;
}

/**
 * Checks the form of a webhook's URL and a literal IP address in it, without DNS. Names are resolved and checked again on every connection.
 */
export function checkWebhookUrl(url: string, { allowLocal }: UrlRules): UrlCheck {
  const reason = whyRefused(url, allowLocal);
  return reason === undefined ? { ok: true } : { ok: false, reason };
}

const MAX_URL_LENGTH = 2048;

function whyRefused(text: string, allowLocal: boolean): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  const url = URL.parse(text);
  if (!url) return "must be an absolute URL";
  if (url.username || url.password) return "must not contain credentials";
  if (allowLocal && isLocal(url)) return undefined;
  if (url.protocol !== "https:") return "must use https";
  if (url.port !== "") return "must use port 443";
  return whyNotPublic(hostOf(url));
}

function isLocal(url: URL): boolean {
  const host = hostOf(url);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && (isLoopbackName(host) || host === CONTAINER_HOST || isLoopbackAddress(host));
}

function whyNotPublic(host: string): string | undefined {
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : "must not point to a private or reserved address";
  return isPublicName(host) ? undefined : "must name a host on the public internet";
}

/** The URL parser has already normalised forms such as `0x7f.1` and `[::ffff:127.0.0.1]`. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** A name without a dot, or in one of these domains, is only known inside a private network. A name with an empty part is invalid. */
const isPublicName = (name: string): boolean =>
  name.includes(".") &&
  !name.split(".").includes("") &&
  !/\.(localhost|local|internal|home\.arpa|lan|corp|home|onion|test)$/.test(name);
