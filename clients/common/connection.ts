const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** The characters that a header can hold. The error of fetch would show the value. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/**
 * Returns the address without a slash at its end. Throws `TypeError` if no key may be sent to the address. The error does not repeat the
 * address.
 */
export function safeBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !isSafe(new URL(baseUrl)) || !isBare(new URL(baseUrl))) {
    throw new TypeError("baseUrl must be an https address, or an http address on this machine, with at most a path.");
  }
  return baseUrl.replace(/\/+$/, "");
}

/**
 * Returns the key without the line end of a file that it was read from. Throws `TypeError` for a key that no header can hold. The error
 * does not repeat the key.
 */
export function headerKey(name: string, key: string): string {
  const trimmed = (key ?? "").trim();
  if (!HEADER_VALUE.test(trimmed)) throw new TypeError(`${name} must be a key: text without spaces or line breaks.`);
  return trimmed;
}

/** The headers of a caller's preferences, for every request. (RFC 7240) */
export const preferring = ({ strict }: { readonly strict?: boolean | undefined }): Readonly<Record<string, string>> =>
  strict ? { Prefer: "handling=strict" } : {};

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));

/**
 * Whether the address has no credentials, query or fragment. The errors of fetch would show a password, and no path can follow a query or
 * fragment.
 */
const isBare = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === "";
