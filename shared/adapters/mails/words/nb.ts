import type { Words } from "./words.ts";

export const norwegian: Words = {
  both: {
    code: "Kode",
    qr: "QR-kode",
    validFrom: "Gjelder fra",
    validUntil: "Gjelder til",
    whereTitle: "Gjelder her",
    termsTitle: "Vilkår",
    helpTitle: "Spørsmål?",
    notRequestedTitle: "Har du ikke bedt om dette?",
    notRequested: "Da har noen oppgitt adressen din ved en feil. Du trenger ikke å gjøre noe.",
  },
  voucher: {
    headline: "Ditt verdibevis",
    value: "trekkes fra betalingen din",
    subject: "Verdibevis for",
    howToUseTitle: "Slik bruker du verdibeviset",
    howToUse:
      "Vis QR-koden ved terminalen før du betaler, eller tast inn koden. Store og små bokstaver spiller ingen rolle, og bindestrekene kan utelates. Verdibeviset kan brukes én gang.",
  },
  key: {
    headline: "Din nøkkel",
    subject: "Nøkkelen åpner",
    howToUseTitle: "Slik bruker du nøkkelen",
    howToUse:
      "Vis QR-koden ved terminalen, eller tast inn koden. Store og små bokstaver spiller ingen rolle, og bindestrekene kan utelates. Ikke gi koden videre: Den som har den, kan åpne.",
  },
};
