import type { Words } from "./words.ts";

export const german: Words = {
  both: {
    code: "Code",
    qr: "QR-Code",
    validFrom: "Gültig ab",
    validUntil: "Gültig bis",
    whereTitle: "Hier gültig",
    termsTitle: "Bedingungen",
    helpTitle: "Fragen?",
    notRequestedTitle: "Haben Sie das nicht angefordert?",
    notRequested: "Dann hat jemand versehentlich Ihre Adresse angegeben. Sie brauchen nichts zu tun.",
  },
  voucher: {
    headline: "Ihr Gutschein",
    value: "Abzug von Ihrer Zahlung",
    subject: "Gutschein für",
    howToUseTitle: "So lösen Sie den Gutschein ein",
    howToUse:
      "Zeigen Sie den QR-Code vor dem Bezahlen am Terminal, oder geben Sie den Code ein. Groß- und Kleinschreibung spielt keine Rolle, und die Bindestriche können entfallen. Der Gutschein kann einmal eingelöst werden.",
  },
  key: {
    headline: "Ihr Schlüssel",
    subject: "Der Schlüssel öffnet",
    howToUseTitle: "So verwenden Sie den Schlüssel",
    howToUse:
      "Zeigen Sie den QR-Code am Terminal, oder geben Sie den Code ein. Groß- und Kleinschreibung spielt keine Rolle, und die Bindestriche können entfallen. Geben Sie den Code nicht weiter: Wer ihn hat, kann öffnen.",
  },
};
