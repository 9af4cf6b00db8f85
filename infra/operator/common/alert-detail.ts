import { sentence } from "../../../shared/contracts/values.ts";
import type { Alert } from "../../../shared/domain/alert.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import { paymentEvents, reportEvents, type PaymentEvent } from "../../../shared/domain/payment/record/events.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Payment, PaymentState, Refund } from "../../../shared/domain/payment/record/payment.ts";
import { quoted, shownText } from "../../../shared/domain/texts.ts";
import { cardText } from "./money-names.ts";
import { changeText } from "./reasons.ts";

/**
 * The detail of an alert as a sentence without names of the code. `payment` adds the amount and card of the alert's charge. Undefined if
 * the alert has no detail.
 */
export function alertDetail(
  { kind, about, detail }: Pick<Alert, "kind" | "about" | "detail">,
  payment?: Payment,
): string | undefined {
  if (detail === undefined) return undefined;
  switch (kind) {
    case "unwantedApproval":
      return anotherCharge(detail, about, payment) ?? paymentDetail(detail);
    case "orphanReport":
      return orphanDetail(detail);
    case "cardNumberReported":
      return `Card data was ${detail}.`;
    case "mailsFailing":
      return mailDetail(detail);
    default:
      return paymentDetail(detail);
  }
}

/** `authorized while the payment is captured: its words`, or only the event. The state may have an explanation after a semicolon. */
const changed = new RegExp(
  `^(?<event>${paymentEvents.join("|")})(?: while the (?<of>payment|refund|charge) is (?<state>\\w+)(?<more>; [^:]*)?)?(?:: (?<words>.*))?$`,
  "s",
);

function anotherCharge(detail: string, about: string | undefined, payment: Payment | undefined): string | undefined {
  const { of, state } = changed.exec(detail)?.groups ?? {};
  const at = payment?.charges.findIndex(({ chargeId }) => chargeId.toLowerCase() === about) ?? -1;
  const charge = payment?.charges[at];
  if (!charge || of !== "payment") return undefined;
  const card = cardText(charge);
  const money = `${shownMoney(charge.amount, charge.currency)}${card === "" ? "" : ` on ${card}`}`;
  return `The terminal reported ${at > 0 ? "another" : "a"} charge of ${money}${whenText(of, state)}.`;
}

function paymentDetail(detail: string): string {
  const { event, of, state, more = "", words } = changed.exec(detail)?.groups ?? {};
  if (event !== undefined)
    return `${eventText(event)}${whenText(of, state)}${more}${words === undefined ? "" : `: ${quoted(words)}`}.`;
  const [, misnamed, message] = /^(\w+) names a message of another (refund|discount)$/.exec(detail) ?? [];
  if (misnamed !== undefined) return `${eventText(misnamed)}, but named a message of another ${message}.`;
  return sentence(shownText(detail).replace(/^sharedCharge: /, "one charge is "));
}

const eventText = (event: string): string => {
  const by = reportEvents.some((name) => name === event) ? "terminal" : "platform";
  return changeText({ by, event: event as PaymentEvent }, "");
};

/** The state in which the report came, after its sentence. */
function whenText(of: string | undefined, state: string | undefined): string {
  if (of === undefined || state === undefined) return "";
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    payment: whenPayment,
    refund: whenRefund,
    charge: whenCharge,
  };
  return ` ${texts[of]?.[state] ?? `while the ${of} was ${state}`}`;
}

const whenPayment: Readonly<Record<PaymentState, string>> = {
  pending: "before the terminal had accepted the payment",
  inProgress: "while the payment was in progress",
  cancelRequested: "after a cancel was requested",
  reconciling: "while the payment's outcome was not known",
  authorized: "after the payment was authorized",
  captureRequested: "after the capture was requested",
  captured: "after the payment was captured",
  voidRequested: "after the void was requested",
  voided: "after the payment was voided",
  cancelled: "after the payment was cancelled",
  declined: "after the payment was declined",
  expired: "after the payment had expired",
  failed: "after the payment had failed",
};

const whenRefund: Readonly<Record<Refund["status"] | "unknown", string>> = {
  pending: "while the refund was not made yet",
  succeeded: "after the refund was made",
  failed: "after the refund had failed",
  unknown: "for a refund that the payment does not have",
};

const whenCharge: Readonly<Record<Charge["status"], string>> = {
  authorized: "while the charge was authorized",
  captured: "after the charge was captured",
  voided: "after the charge was voided",
  reversing: "while the charge was being reversed",
  reversed: "after the charge was reversed",
  reversalFailed: "after the charge could not be reversed",
  kept: "although the merchant keeps the charge",
  inDoubt: "while the charge was in doubt",
};

/** The refused report: the problem's code, the wrong members, and the earlier report under its identifier. */
function orphanDetail(detail: string): string {
  const [, code = "", members = "", before = ""] = /^(\w+)(.*?)(?: \(before: (.*?)\)?)?$/s.exec(detail) ?? [];
  const why = refusals[code] ?? `the platform cannot read it (${code.replaceAll("_", " ")})`;
  const wrong = members.trim().replaceAll(" ", ", ");
  return `A report was rejected, because ${why}${wrong === "" ? "" : `: ${wrong}`}.${earlierReport(before)}`;
}

/** `captured charge-1 12550 SEK` as a sentence. The amount is in minor units. */
function earlierReport(before: string): string {
  const [event, ...said] = before.replace(/ (\d+) ([A-Z]{3})$/, inMajorUnits).split(" ");
  const known = reportEvents.find((name) => name === event);
  return known === undefined ? "" : ` Earlier, ${lowered(eventText(known))} (${said.join(" ")}).`;
}

const inMajorUnits = (_: string, minor: string, currency: string): string => ` ${shownMoney(Number(minor), currency)}`;

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const refusals: Readonly<Record<string, string>> = {
  payment_not_found: "it names no payment on this terminal",
  validation_failed: "members are wrong",
  reused_report_id: "an earlier report with other content has its reportID",
};

function mailDetail(detail: string): string {
  const [, count, kind = "", reason] = /^(\d+) in a row within an hour; the last: (\w+) (.*)$/s.exec(detail) ?? [];
  if (count === undefined) return sentence(detail);
  const what = count === "1" ? "A mail was not sent." : `${count} mails in a row were not sent within an hour.`;
  return `${what} The last one: ${mailWords[kind] ?? kind} (${reason}).`;
}

const mailWords: Readonly<Record<string, string>> = {
  refused: "the address was refused",
  mailRefused: "the mail was refused",
  failed: "the mail server did not accept it",
};
