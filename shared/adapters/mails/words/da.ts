import type { Words } from "./words.ts";

export const danish: Words = {
  both: {
    code: "Kode",
    qr: "QR-kode",
    validFrom: "Gælder fra",
    validUntil: "Gælder til",
    whereTitle: "Gælder her",
    termsTitle: "Vilkår",
    helpTitle: "Spørgsmål?",
    notRequestedTitle: "Har du ikke bedt om dette?",
    notRequested: "Så har nogen oplyst din adresse ved en fejl. Du behøver ikke at gøre noget.",
  },
  voucher: {
    headline: "Dit værdibevis",
    value: "trækkes fra din betaling",
    subject: "Værdibevis til",
    howToUseTitle: "Sådan bruger du værdibeviset",
    howToUse:
      "Vis QR-koden ved terminalen, før du betaler, eller indtast koden. Store og små bogstaver er uden betydning, og bindestregerne kan udelades. Værdibeviset kan bruges én gang.",
  },
  key: {
    headline: "Din nøgle",
    subject: "Nøglen åbner",
    howToUseTitle: "Sådan bruger du nøglen",
    howToUse:
      "Vis QR-koden ved terminalen, eller indtast koden. Store og små bogstaver er uden betydning, og bindestregerne kan udelades. Giv ikke koden videre: Den, der har den, kan åbne.",
  },
};
