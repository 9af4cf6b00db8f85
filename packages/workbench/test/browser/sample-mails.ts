import type { MailDetail } from "../../live/views/mails.ts";
import { picturesOf, writeTokenMail } from "../../../../shared/adapters/mails/token-mail.ts";
import { aMail, brands } from "../../../../test/support/token-mails.ts";

const CODE = "7K3M-Q9TW-2XHD-4VBN";
const [qr] = await picturesOf(aMail({ code: CODE }));
const picture = `data:image/png;base64,${Buffer.from(qr?.png ?? []).toString("base64")}`;

/** Mails as the platform writes them, the newest first, with the HTML of each by its identifier. */
export function sampleMails(options: { readonly at: number; readonly count: number; say(where: string): string }) {
  const written = Array.from({ length: options.count }, (_, i) => {
    const at = options.at - i * 70_000;
    const mail = writeTokenMail({
      id: `mail-${i}`,
      to: "customer@shop.example",
      kind: i % 3 === 2 ? "key" : "voucher",
      pageName: "Demo Kiosk",
      code: CODE,
      ...(i % 3 !== 2 && { value: { kind: "amount", amount: 5_000, currency: "SEK" } as const }),
      validUntil: new Date(at + 30 * 86_400_000).toISOString(),
      locale: i % 3 === 1 ? "sv-SE" : "en-SE",
      timeZone: "Europe/Stockholm",
      brand: i % 3 === 2 ? undefined : brands.roastery,
    });
    const address = options.say(`customer${i}@shop.example`);
    const detail: MailDetail = {
      id: `mail-${i}`,
      at,
      address,
      from: "Demo Kiosk <vouchers@kiosk.example>",
      subject: options.say(mail.subject),
      text: options.say(mail.text),
      headers: [
        ["from", "Demo Kiosk <vouchers@kiosk.example>"],
        ["to", address],
        ["subject", options.say(mail.subject)],
        ["message-id", `<mail-${i}@kiosk.example>`],
        ["auto-submitted", "auto-generated"],
        ["content-type", 'multipart/alternative; boundary="--_NmP-4f2a"'],
      ],
      pictures: [{ name: "code.png", url: picture }],
    };
    return { detail, html: mail.html.replace(`cid:${qr?.cid}`, picture) };
  });
  return {
    details: written.map(({ detail }) => detail),
    html: (id: string) => written.find(({ detail }) => detail.id === id)?.html,
  };
}
