import { SpanKind } from "@opentelemetry/api";
import type { Mails } from "../../ports/mails.ts";
import { inChildSpan, markFailed } from "./spans.ts";

/** Traces mails. Each attempt is a span. It holds no part of the mail, because the address and the code must only be in the mail itself. */
export const tracedMails = (mails: Mails): Mails => ({
  ...mails,
  send: (mail) =>
    inChildSpan(
      () => ({ name: "mail attempt", kind: SpanKind.CLIENT, attributes: {} }),
      async (span) => {
        const reply = await mails.send(mail);
        span?.setAttribute("payment.outcome", reply.kind);
        if (span && reply.kind !== "sent") markFailed(span, reply.reason || reply.kind);
        return reply;
      },
    ),
});
