import { holdsTerminal, placeOf } from "../domain/payment.ts";
import type { Commands, Subject } from "../ports/commands.ts";
import type { Payments } from "../ports/payments.ts";
import type { Inboxes } from "../ports/terminals.ts";
import type { Work } from "./protocol/deliver.ts";

export interface TidyInbox {
  readonly payments: Payments;
  readonly commands: Commands;
  readonly inboxes: Inboxes;
}

/**
 * Takes rows out of the inbox that were only kept so that nothing is filed twice: a settled message once its effect is marked
 * done, and the tombstone of a payment that is over. From then on the command itself tells a repeated announcement.
 */
export async function tidyInbox(deps: TidyInbox, { announcement, effect }: Work): Promise<void> {
  const { subject } = announcement;
  if (effect.kind !== "admission" && effect.kind !== "message") return forgetTombstone(deps, subject);
  const { terminalId, place } = effect.mailing;
  const row = await deps.inboxes.find(terminalId, place);
  if (row?.state === "settled") await deps.inboxes.forget(terminalId, row);
  if (row?.state === "tombstone") await forgetTombstone(deps, subject);
}

async function forgetTombstone(deps: TidyInbox, subject: Subject): Promise<void> {
  if (subject.kind !== "payment") return;
  const stored = await deps.payments.find(subject);
  if (!stored || stored === "fence" || holdsTerminal(stored.payment.status)) return;
  const { terminalId, requestCommandId } = stored.payment;
  const [row, request] = await Promise.all([
    deps.inboxes.find(terminalId, placeOf(stored.payment)),
    deps.commands.find(subject, requestCommandId),
  ]);
  if (row?.state === "tombstone" && request?.done.includes("admission")) await deps.inboxes.forget(terminalId, row);
}
