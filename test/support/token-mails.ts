import { PNG } from "pngjs";
import type { MailBrand, MailTexts } from "../../shared/domain/mail-brand.ts";
import { picturesOf, writeTokenMail } from "../../shared/adapters/mails/token-mail.ts";
import type { TokenMail } from "../../shared/ports/mails.ts";

// Mails of vouchers and keys, for tests and pictures.

export const CODE = "7KQ2-9XHD-M3PC-W81*";

export const aMail = (more: Partial<TokenMail> = {}): TokenMail => ({
  id: "0f0f0f0f-0000-4000-8000-000000000001",
  to: "anna@example.com",
  pageName: "Kaffe & kaka",
  kind: "voucher",
  value: { kind: "amount", amount: 5_000, currency: "SEK" },
  code: CODE,
  validUntil: "2026-12-31T23:30:00.000Z",
  locale: "en-SE",
  timeZone: "Europe/Stockholm",
  ...more,
});

export const aKey = (more: Partial<TokenMail> = {}): TokenMail =>
  aMail({
    kind: "key",
    value: undefined,
    pageName: "Boat house, north gate",
    validFrom: "2026-12-24T07:00:00.000Z",
    ...more,
  });

/** A logo of a name's initials on a transparent ground: coloured squares, as in a merchant's PNG. */
function drawnLogo(colours: readonly (readonly [number, number, number])[]): NonNullable<MailBrand["logo"]> {
  const side = 96;
  const gap = 16;
  const png = new PNG({ width: colours.length * (side + gap) - gap, height: side });
  colours.forEach(([red, green, blue], i) => {
    const left = i * (side + gap);
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const isInside = (x - side / 2) ** 2 + (y - side / 2) ** 2 < (side / 2) ** 2;
        png.data.set([red, green, blue, isInside ? 255 : 0], (y * png.width + left + x) * 4);
      }
  });
  return { png: PNG.sync.write(png).toString("base64"), width: png.width, height: png.height };
}

/** Two merchants. One has a name on a dark ground, the other a logo and a bright colour with black text. */
export const brands = {
  roastery: { name: "Fjord & Bean", colour: "#7a2e1d", senderName: "Fjord & Bean Coffee" },
  harbour: {
    name: "Harbour Sauna",
    colour: "#f2b632",
    senderName: "Harbour Sauna",
    logo: drawnLogo([
      [16, 42, 67],
      [242, 182, 50],
      [214, 73, 51],
    ]),
  },
} as const satisfies Record<string, MailBrand>;

/** An operator's additional texts in English. */
export const ownTexts: MailTexts = {
  where: "In all of our coffee bars, and at the roastery on weekdays.",
  help: "Call us on +46 8 123 45 67, or ask anyone behind a counter.",
  terms: "One voucher for each purchase.\nIt cannot be exchanged for money.",
};

/** The same texts in Arabic, for every place of a voucher's mail. */
export const arabicTexts: MailTexts = {
  headline: "قسيمتك",
  value: "خصم من دفعتك",
  subject: "القسيمة صالحة لدى",
  code: "الرمز",
  qr: "رمز الاستجابة السريعة",
  validFrom: "صالحة من",
  validUntil: "صالحة حتى",
  howToUseTitle: "طريقة الاستخدام",
  howToUse: "اعرض الرمز عند جهاز الدفع قبل أن تدفع، أو اكتبه.",
  whereTitle: "أين تصلح",
  termsTitle: "الشروط",
  helpTitle: "أسئلة؟",
  notRequestedTitle: "ألم تطلب هذا؟",
  notRequested: "لقد أدخل شخص ما عنوانك بالخطأ. لا يلزمك فعل شيء.",
};

/** A mail's HTML with its pictures embedded, as a mail client shows it. */
export async function shownHtml(mail: TokenMail): Promise<string> {
  const urls = new Map((await picturesOf(mail)).map(({ cid, png }) => [cid, Buffer.from(png).toString("base64")]));
  const url = (cid: string) => `data:image/png;base64,${urls.get(cid) ?? ""}`;
  return writeTokenMail(mail).html.replaceAll(/\bcid:([^"]+)/g, (_, cid: string) => url(cid));
}
