import type { TokenMail } from "../ports/mails.ts";

/** The texts of a mail in one language. `worth` is a value in that language's format, `until` a date and time. */
interface Words {
  readonly kinds: Readonly<Record<TokenMail["kind"], string>>;
  readonly subject: (kind: string, page: string) => string;
  readonly here: (kind: string, page: string) => string;
  readonly worth: (worth: string) => string;
  readonly show: string;
  readonly until: (until: string) => string;
  readonly notRequested: string;
}

const english: Words = {
  kinds: { voucher: "voucher", key: "key" },
  subject: (kind, page) => `Your ${kind}: ${page}`,
  here: (kind, page) => `Here is your ${kind} for ${page}.`,
  worth: (worth) => `It takes ${worth} off your payment.`,
  show: "Show this code at the terminal, or type it:",
  until: (until) => `Valid until ${until}.`,
  notRequested: "If you did not ask for this, somebody mistook your address for theirs; you need do nothing.",
};

const swedish: Words = {
  kinds: { voucher: "värdebevis", key: "nyckel" },
  subject: (kind, page) => `${kind === "nyckel" ? "Din" : "Ditt"} ${kind}: ${page}`,
  here: (kind, page) => `Här är ${kind === "nyckel" ? "din" : "ditt"} ${kind} för ${page}.`,
  worth: (worth) => `Det drar av ${worth} från din betalning.`,
  show: "Visa koden vid terminalen, eller skriv in den:",
  until: (until) => `Gäller till och med ${until}.`,
  notRequested: "Om du inte har bett om detta har någon råkat ange din adress; du behöver inte göra något.",
};

/** The texts in the locale's language; in English where there are none. */
export const wordsFor = (locale: string): Words => (/^sv\b/i.test(locale) ? swedish : english);
