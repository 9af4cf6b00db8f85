/**
 * Providers at whose domains anyone may have a mailbox. Their addresses are not counted by domain. At every other domain, one owner can
 * make as many addresses as it likes.
 */
const publicProviders = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com yahoo.com ymail.com aol.com
  proton.me protonmail.com pm.me gmx.com gmx.net gmx.de web.de t-online.de freenet.de mail.com fastmail.com zoho.com
  outlook.se hotmail.se live.se yahoo.se telia.com bredband.net comhem.se spray.se tele2.se bahnhof.se
  hotmail.no live.no yahoo.no online.no hotmail.dk live.dk yahoo.dk mail.dk hotmail.fi luukku.com kolumbus.fi
  hotmail.co.uk live.co.uk yahoo.co.uk outlook.de hotmail.de yahoo.de orange.fr free.fr laposte.net hotmail.fr yahoo.fr
  libero.it hotmail.it yahoo.it hotmail.es yahoo.es ziggo.nl kpnmail.nl hotmail.nl live.nl wp.pl o2.pl onet.pl`.split(
    /\s+/,
  ),
);

/** Under these labels of a country's domain, a name is registered one label below: `example.co.uk`. */
const secondLevels = new Set(["ac", "co", "com", "edu", "gob", "gov", "ne", "net", "nom", "or", "org"]);

/**
 * The mailbox of an address, in one spelling. Providers ignore the letters' case, a sub-address (`anna+shop@…`), and at Gmail the dots. The
 * result is only for counting, and no mail is sent to it.
 */
export function mailboxOf(address: string): string {
  const [local, domain] = partsOf(address);
  const base = local.replace(/(?<=.)\+.*$/, "");
  const isGmail = domain === "gmail.com" || domain === "googlemail.com";
  return isGmail ? `${base.replaceAll(".", "")}@gmail.com` : `${base}@${domain}`;
}

/** The domain that the address's owner registered, such as `example.co.uk`. Undefined at a provider where anyone may have a mailbox. */
export function ownedDomainOf(address: string): string | undefined {
  const [, domain] = partsOf(address);
  if (publicProviders.has(domain)) return undefined;
  const labels = domain.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && secondLevels.has(second) ? -3 : -2).join(".");
}

function partsOf(address: string): readonly [local: string, domain: string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
}
