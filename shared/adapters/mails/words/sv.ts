import type { Words } from "./words.ts";

export const swedish: Words = {
  both: {
    code: "Kod",
    qr: "QR-kod",
    validFrom: "Gäller från",
    validUntil: "Gäller till",
    whereTitle: "Gäller här",
    termsTitle: "Villkor",
    helpTitle: "Frågor?",
    notRequestedTitle: "Har du inte bett om detta?",
    notRequested: "Då har någon råkat ange din adress. Du behöver inte göra något.",
  },
  voucher: {
    headline: "Ditt värdebevis",
    value: "dras av från din betalning",
    subject: "Värdebevis för",
    howToUseTitle: "Så använder du värdebeviset",
    howToUse:
      "Visa QR-koden vid terminalen innan du betalar, eller skriv in koden. Stora och små bokstäver spelar ingen roll, och bindestrecken kan utelämnas. Värdebeviset kan användas en gång.",
  },
  key: {
    headline: "Din nyckel",
    subject: "Nyckeln öppnar",
    howToUseTitle: "Så använder du nyckeln",
    howToUse:
      "Visa QR-koden vid terminalen, eller skriv in koden. Stora och små bokstäver spelar ingen roll, och bindestrecken kan utelämnas. Ge inte koden vidare: den som har den kan öppna.",
  },
};
