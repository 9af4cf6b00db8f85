import type { Alert } from "../../../../shared/domain/alert.ts";
import type { Outcome } from "../../../../shared/domain/payment/operator/resolution.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { standingOf } from "../../common/alert-standing.ts";
import { clock } from "../../common/platform.ts";
import { wholeCommand } from "../../common/whole-commands.ts";
import { quoted } from "../../../tools/typed-command.ts";

/** The cause of an open alert, as the operator sees it. */
interface ShownCause {
  /** The current state of the cause. */
  readonly cause?: string | undefined;
  /** The whole commands that fit it, without the operator's name and reason. */
  readonly actions?: readonly { readonly command: string }[];
  /** Nothing is left to do, except perhaps to close the alert. */
  readonly isOver: boolean;
}

/** Reads the payment of an alert. Undefined if the alert is not about a payment. */
export const paymentOf = async (
  { payments }: Pick<TablePorts, "payments">,
  { subject }: Alert,
): Promise<Payment | undefined> => (subject.kind === "payment" ? (await payments.find(subject))?.payment : undefined);

/** Reads the current state of an alert's cause, and the commands that fit it. A closed alert has neither. */
export async function causeOf(
  { payments, terminalDays }: Pick<TablePorts, "payments" | "terminalDays">,
  alert: Alert,
  payment: Payment | undefined,
): Promise<ShownCause> {
  const { subject, status } = alert;
  if (status === "closed" || subject.kind === "platform") return { isOver: status === "closed" };
  const now = { now: clock.now(), timings: standardTimings };
  if (subject.kind === "terminal") {
    const stored = await terminalDays.find(subject);
    const { standing, isOver } = standingOf(alert, { ...now, terminalDay: stored?.terminalDay });
    return { cause: standing, isOver, ...(!isOver && { actions: [{ command: paymentsOf(subject) }] }) };
  }
  const reports = alert.kind === "amountDiffers" ? await payments.history(subject) : [];
  const { standing, isOver, fits } = standingOf(alert, { ...now, payment, reports });
  const actions = fits.map((outcome) => ({ command: resolutionOf(subject, outcome) }));
  return { cause: standing, isOver, ...(actions.length > 0 && { actions }) };
}

const paymentsOf = ({ terminalId, day }: { readonly terminalId: string; readonly day: string }): string =>
  wholeCommand(`payment list --day ${day} --terminal ${terminalId}`);

const resolutionOf = (
  { partnerId, sessionId }: { readonly partnerId: string; readonly sessionId: string },
  outcome: Outcome,
): string =>
  wholeCommand(`payment resolve --partner ${partnerId} --session ${sessionId} ${wordsOf(outcome)} --why "<text>"`);

const moneyOf = ({
  amount,
  tip,
}: {
  readonly amount?: number | undefined;
  readonly tip?: number | undefined;
}): string => `${amount === undefined ? "" : ` --amount ${amount}`}${tip === undefined ? "" : ` --tip ${tip}`}`;

function wordsOf(outcome: Outcome): string {
  switch (outcome.of) {
    case "payment":
      return `--outcome ${outcome.outcome}${outcome.chargeId === undefined ? "" : ` --charge ${quoted(outcome.chargeId)}`}${moneyOf(outcome)}`;
    case "charge":
      return `--charge ${quoted(outcome.chargeId)} --outcome ${outcome.outcome}`;
    case "refund":
      return `--refund ${quoted(outcome.refundId)} --outcome ${outcome.outcome}${moneyOf(outcome)}`;
    case "discount":
      return `--discount ${quoted(outcome.discountId)} --outcome ${outcome.outcome}`;
    case "outside":
      return `--refunded-outside ${outcome.amount} --reference ${quoted(outcome.reference)}`;
  }
}
