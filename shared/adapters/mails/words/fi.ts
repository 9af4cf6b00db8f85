import type { Words } from "./words.ts";

export const finnish: Words = {
  both: {
    code: "Koodi",
    qr: "QR-koodi",
    validFrom: "Voimassaolo alkaa",
    validUntil: "Voimassaolo päättyy",
    whereTitle: "Missä voimassa",
    termsTitle: "Ehdot",
    helpTitle: "Kysyttävää?",
    notRequestedTitle: "Etkö pyytänyt tätä?",
    notRequested: "Silloin joku on antanut osoitteesi vahingossa. Sinun ei tarvitse tehdä mitään.",
  },
  voucher: {
    headline: "Arvosetelisi",
    value: "vähennetään maksustasi",
    subject: "Arvosetelin kohde",
    howToUseTitle: "Näin käytät arvoseteliä",
    howToUse:
      "Näytä QR-koodi päätteellä ennen maksamista tai kirjoita koodi. Kirjainkoolla ei ole merkitystä, ja yhdysmerkit voi jättää pois. Arvosetelin voi käyttää kerran.",
  },
  key: {
    headline: "Avaimesi",
    subject: "Avaimen kohde",
    howToUseTitle: "Näin käytät avainta",
    howToUse:
      "Näytä QR-koodi päätteellä tai kirjoita koodi. Kirjainkoolla ei ole merkitystä, ja yhdysmerkit voi jättää pois. Älä anna koodia muille: kuka tahansa voi avata sillä.",
  },
};
