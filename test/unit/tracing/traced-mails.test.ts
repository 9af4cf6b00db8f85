import { expect, it } from "vitest";
import type { MailReply, TokenMail } from "../../../shared/ports/mails.ts";
import { tracedMails } from "../../../shared/adapters/tracing/traced-mails.ts";
import { among, inATrace, recordSpans } from "./recorded-spans.ts";

const spans = recordSpans();
const { named } = among(spans);

it("a mail's span contains nothing of the mail", async () => {
  const mail = { id: "5ecret", to: "5ecret@customer.example", code: "5ecret", pageName: "5ecret" } as TokenMail;
  const reply: MailReply = { kind: "refused", reason: "EENVELOPE 550" };
  const mails = tracedMails({ send: async () => reply, nextAttemptAfter: () => 5 });
  await inATrace(async () => expect(await mails.send(mail)).toBe(reply));
  expect(named("mail attempt")).toMatchObject({ failed: true, attributes: { "error.type": "EENVELOPE 550" } });
  expect(JSON.stringify(spans())).not.toMatch(/5ecret|customer/);
});
