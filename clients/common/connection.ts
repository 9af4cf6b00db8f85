const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** What a header can hold. fetch would complain by showing the value. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** The address without a slash at its end. Throws `TypeError`, which does not repeat it, for one to which no key may be sent. */
export function safeBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !isSafe(new URL(baseUrl)) || !isBare(new URL(baseUrl))) {
    throw new TypeError(
      "baseUrl must be an https address, or an http address on this machine, without more than a path.",
    );
  }
  return baseUrl.replace(/\/+$/, "");
}

/** Throws `TypeError`, which does not repeat the value, for a key that no header can hold. */
export function assertKeys(keys: Readonly<Record<string, string>>): void {
  for (const [name, key] of Object.entries(keys)) {
    if (!HEADER_VALUE.test(key ?? ""))
      throw new TypeError(`${name} must be a key: text without spaces or line breaks.`);
  }
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));

/** Without a password, which fetch would show in its complaint, and without what a path cannot follow. */
const isBare = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === "";
