import type { Words } from "./words.ts";

export const english: Words = {
  both: {
    code: "Code",
    qr: "QR code",
    validFrom: "Valid from",
    validUntil: "Valid until",
    whereTitle: "Where it is valid",
    termsTitle: "Terms",
    helpTitle: "Questions?",
    notRequestedTitle: "Did you not ask for this?",
    notRequested: "Then somebody gave your address by mistake. You do not need to do anything.",
  },
  voucher: {
    headline: "Your voucher",
    value: "off your payment",
    subject: "Voucher for",
    howToUseTitle: "How to use it",
    howToUse:
      "Show the QR code at the terminal before you pay, or type the code. Upper and lower case are the same, and hyphens can be left out. The voucher can be used once.",
  },
  key: {
    headline: "Your key",
    subject: "This key opens",
    howToUseTitle: "How to use it",
    howToUse:
      "Show the QR code at the terminal, or type the code. Upper and lower case are the same, and hyphens can be left out. Do not pass it on: anyone who has the code can open.",
  },
};
