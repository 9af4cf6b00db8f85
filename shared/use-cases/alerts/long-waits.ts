import { storableDetail } from "../../domain/alert.ts";
import { mendedDetail } from "../../domain/mended-alert.ts";
import { shownMoney } from "../../domain/money.ts";
import { type Wait, waitsLong } from "../../domain/payment/life/waits.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Terminal } from "../../domain/terminal.ts";
import { dayOf, type Instant } from "../../domain/time.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { Needs } from "../needs.ts";
import { raiseAlert, type RaiseAlertDeps } from "./raise-alert.ts";

/**
 * Calls an operator about a capture that has waited for its terminal for a day. Each later day counts once more. Throws `Conflict` and
 * `Unavailable`.
 */
export async function callAboutWait(
  deps: RaiseAlertDeps,
  payment: Payment,
  { since, until }: Wait,
  at: Instant,
): Promise<void> {
  if (!waitsLong(since, at)) return;
  const { captureAmount, amounts, currency, asReceived, terminalName, merchantName } = payment;
  const named = (id: string, name: string | undefined) => (name === undefined ? id : `${id} (${name})`);
  const detail = storableDetail(
    `${shownMoney(captureAmount ?? amounts.authorized, currency)} since ${since}, until ${until}. Terminal ${named(asReceived.terminalId, terminalName)}, merchant ${named(asReceived.merchantId, merchantName)}.`,
  );
  const identity = { subject: paymentSubjectOf(payment), kind: "captureWaits" } as const;
  await raiseAlert(deps, identity, { by: { cause: dayOf(at) }, at, detail });
}

/**
 * Tells the operator who was called that the terminal is there again, and fetches the capture. It is told just before the fetch, so that a
 * fetch is never left unsaid. Throws `Unavailable` if the queue does not take it: the terminal then polls again.
 */
export async function endCallAboutWait(
  { bareAlerts }: Needs<"bareAlerts">,
  { partnerId, terminalId }: Pick<Terminal, "partnerId" | "terminalId">,
  { messageId, message, slot, state }: InboxRow,
  now: Instant,
): Promise<void> {
  if (message.type !== "capture" || state !== "waiting" || !waitsLong(slot.createdAt, now)) return;
  await bareAlerts.send({
    v: newestVersion,
    raised: {
      subject: { kind: "payment", partnerId, terminalId, sessionId: slot.sessionId },
      kind: "captureWaits",
      detail: mendedDetail.captureWaits,
      cause: messageId,
      at: now,
    },
  });
}
