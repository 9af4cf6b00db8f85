/** The offer that the page shows. */
export interface Offer {
  readonly shop: string;
  /** In the currency's major unit, as the template has it. */
  readonly amount: number;
  readonly currency: string;
}

/** The words of the page in one language. They are the shop's own: change them. */
export interface Texts {
  readonly title: (money: string) => string;
  readonly lead: string;
  readonly email: string;
  readonly consent: string;
  readonly privacy: string;
  /** The customer's choices, by the number that the platform gets as `button`. */
  readonly buttons: Readonly<Record<string, string>>;
  readonly sending: string;
  readonly sent: { readonly title: string; readonly to: string; readonly next: string };
  readonly noMail: { readonly title: string; readonly text: string; readonly link: string };
  readonly states: Readonly<Record<"disabled" | "expired", { readonly title: string; readonly text: string }>>;
  readonly errors: {
    readonly prefix: string;
    readonly email: string;
    readonly emailRefused: string;
    readonly unsent: string;
    readonly consent: string;
    readonly button: string;
    readonly tooMany: (when: string) => string;
    readonly unavailable: string;
    readonly fault: string;
    readonly offline: string;
  };
}

const en: Texts = {
  title: (money) => `${money} on us`,
  lead: "A voucher for lunch or for coffee, good for thirty days. Leave your address, and the code comes by e-mail.",
  email: "E-mail address",
  consent: "Yes, send the voucher to this address.",
  privacy: "We use the address for this one mail, and for nothing else.",
  buttons: { 1: "Get lunch voucher", 2: "Get coffee voucher" },
  sending: "Sending…",
  sent: {
    title: "Check your mail",
    to: "We send your voucher to",
    next: "Before you pay, show its QR code at the terminal, or type in the code.",
  },
  noMail: {
    title: "No mail after five minutes?",
    text: "Check your spam folder, and the address above. Each address gets one voucher of each kind a day.",
    link: "Use another address",
  },
  states: {
    disabled: { title: "This offer is taking a break", text: "Please come back another day." },
    expired: {
      title: "This offer has ended",
      text: "No new vouchers are sent. One that you have is good until its date.",
    },
  },
  errors: {
    prefix: "Error",
    email: "Write your e-mail address, such as anna@example.com.",
    emailRefused: "The mail could not be delivered to this address. Correct it, or use another one.",
    unsent: "No voucher was sent to this address. Please try again later, or use another one.",
    consent: "Tick the box, so that we may send you the mail.",
    button: "Choose one of the vouchers.",
    tooMany: (when) => `That was a lot of requests. Please try again ${when}.`,
    unavailable: "The vouchers cannot be reached just now. Please try again in a minute: you will not get two.",
    fault: "Something is wrong on our side, and we have taken note of it. Please come back later.",
    offline: "No connection. Please check it, and press the button again.",
  },
};

const sv: Texts = {
  title: (money) => `Vi bjuder på ${money}`,
  lead: "Ett värdebevis till lunch eller kaffe som gäller i trettio dagar. Skriv din adress, så kommer koden med e-post.",
  email: "E-postadress",
  consent: "Ja, skicka värdebeviset till den här adressen.",
  privacy: "Vi använder adressen till det här mejlet och till ingenting annat.",
  buttons: { 1: "Värdebevis på lunch", 2: "Värdebevis på kaffe" },
  sending: "Skickar…",
  sent: {
    title: "Titta i din inkorg",
    to: "Vi skickar ditt värdebevis till",
    next: "Visa QR-koden vid terminalen innan du betalar, eller skriv in koden.",
  },
  noMail: {
    title: "Inget mejl efter fem minuter?",
    text: "Titta i skräpposten, och kontrollera adressen ovan. Varje adress får ett värdebevis av varje sort per dag.",
    link: "Använd en annan adress",
  },
  states: {
    disabled: { title: "Erbjudandet tar en paus", text: "Välkommen tillbaka en annan dag." },
    expired: {
      title: "Erbjudandet är slut",
      text: "Inga nya värdebevis skickas. Ett som du redan har gäller till sitt datum.",
    },
  },
  errors: {
    prefix: "Fel",
    email: "Skriv din e-postadress, till exempel anna@example.com.",
    emailRefused: "Mejlet gick inte att leverera till den här adressen. Rätta den, eller använd en annan.",
    unsent: "Inget värdebevis skickades till den här adressen. Försök igen senare, eller använd en annan.",
    consent: "Kryssa i rutan, så att vi får skicka mejlet.",
    button: "Välj ett av värdebevisen.",
    tooMany: (when) => `Det blev många förfrågningar. Försök igen ${when}.`,
    unavailable: "Värdebevisen går inte att nå just nu. Försök igen om en minut: du får inte två.",
    fault: "Något är fel hos oss, och vi har noterat det. Välkommen tillbaka senare.",
    offline: "Ingen anslutning. Kontrollera den, och tryck på knappen igen.",
  },
};

const languages = { en, sv } as const;
export type Language = keyof typeof languages;

export const textsIn = (language: Language): Texts => languages[language];

/** The page's language that a browser's `Accept-Language` prefers; English if it names none of them. */
export function languageOf(accepted = ""): Language {
  const wanted = accepted
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
      return { language: tag.split("-")[0] ?? "", quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return wanted.map(({ language }) => language).find((one): one is Language => Object.hasOwn(languages, one)) ?? "en";
}

/** `50 SEK`, `50 kr`: the currency follows the amount in every language. */
export function moneyIn(language: Language, { amount, currency }: Offer): string {
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  const parts = format.formatToParts(amount).filter(({ type }) => type !== "literal");
  const textOf = (isCurrency: boolean): string =>
    parts.flatMap(({ type, value }) => ((type === "currency") === isCurrency ? [value] : [])).join("");
  return `${textOf(false)}\u00A0${textOf(true)}`;
}

/** `in 5 minutes`; at least one minute. */
export const minutesIn = (language: Language, seconds: number): string =>
  new Intl.RelativeTimeFormat(language).format(Math.max(1, Math.ceil(seconds / 60)), "minute");
