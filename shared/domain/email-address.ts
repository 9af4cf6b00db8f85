/** The longest path of RFC 5321, without its angle brackets. */
export const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i;

/**
 * Whether this is one plain address, `name@example.com`. Quoted names, display names and lists are not. Neither is anything that a mail
 * header could take for more than an address (line breaks, commas, angle brackets).
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  return local.length <= LONGEST_LOCAL_PART && localPart.test(local) && domainName.test(domain);
}

/** One spelling of an address. In practice no mail server distinguishes mailboxes by the case of letters. */
export const sameMailbox = (address: string): string => address.toLowerCase();

/** The address, masked (`a***@e***.com`): enough for its owner to recognise it, too little to write to. It does not show lengths. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const dot = domain.lastIndexOf(".");
  return `${hint(address.slice(0, at))}@${hint(domain.slice(0, dot))}${domain.slice(dot)}`;
}

/** A part of one or two letters is masked whole, since its first letter would show most of it. */
const hint = (part: string): string => `${part.length > 2 ? part.slice(0, 1) : ""}***`;
