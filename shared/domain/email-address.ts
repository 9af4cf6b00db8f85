/** RFC 5321: what a path may hold, less the angle brackets. */
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

/**
 * Whether this is one plain address, `name@example.com`. Quoted names, display names, lists, and anything that a mail header
 * could take for more than an address (line breaks, commas, angle brackets) are not.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  return local.length <= LONGEST_LOCAL_PART && localPart.test(local) && domainName.test(domain);
}

/** Two spellings of one mailbox: nobody tells mailboxes apart by the case of their letters. */
export const sameMailbox = (address: string): string => address.toLowerCase();

/** Enough to know one's own address by, `a***@e***.com`, and too little to write to; lengths are not told. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const dot = domain.lastIndexOf(".");
  return `${hint(address.slice(0, at))}@${hint(domain.slice(0, dot))}${domain.slice(dot)}`;
}

/** A part of one or two letters would be told whole, or nearly. */
const hint = (part: string): string => `${part.length > 2 ? part.slice(0, 1) : ""}***`;
