import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import { isIdentifier } from "../../../shared/domain/identifier.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { toMajor } from "./prices.ts";

/** A terminal's report about a session, in the platform's own terms. */
export interface SaidOfSession {
  readonly sessionId: string;
  readonly report: Report;
}

/**
 * The report that the platform reads from a terminal's request. Identifiers are in either letter case, and amounts in the currency's major
 * unit. Undefined if the contract refuses the report. The simulation's identifiers are short names. On the wire each is a UUID that encodes
 * the name letter by letter.
 */
export function asRead(said: SaidOfSession, inCapitals: boolean): SaidOfSession | undefined {
  const read = terminalReportBody.parse(membersOf(said, inCapitals));
  if (read.of !== "payment") return undefined;
  const back = (name: string | undefined) => (name === undefined ? undefined : fromWire(name));
  return {
    sessionId: fromWire(read.sessionId),
    report: {
      ...read.report,
      reportId: fromWire(read.report.reportId),
      messageId: back(read.report.messageId),
      chargeId: back(read.report.chargeId),
      refundId: back(read.report.refundId),
      discountId: back(read.report.discountId),
    },
  };
}

/** The body of the terminal's request. */
export function membersOf({ sessionId, report }: SaidOfSession, inCapitals = false): object {
  const { reportId, type, messageId, chargeId, refundId, discountId, amount, currency, tipAmount, ...others } = report;
  const id = (name: string | undefined) => (name === undefined ? undefined : onWire(name, inCapitals));
  const major = (minor: number | undefined) =>
    minor === undefined || currency === undefined ? undefined : toMajor(minor, currency);
  return {
    ...others,
    reportID: id(reportId),
    type,
    sessionID: id(sessionId),
    messageID: id(messageId),
    chargeID: id(chargeId),
    refundID: id(refundId),
    discountID: id(discountId),
    amount: major(amount),
    tipAmount: major(tipAmount),
    currency,
  };
}

function onWire(name: string, inCapitals: boolean): string {
  const uuid = isIdentifier(name) ? name : inGroups(Buffer.from(name).toString("hex").padEnd(32, "f"));
  return inCapitals ? uuid.toUpperCase() : uuid;
}

const inGroups = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** The name in a UUID. A UUID that is not in lower case stays unchanged, so it is a different name. */
function fromWire(uuid: string): string {
  const name = Buffer.from(uuid.replaceAll("-", ""), "hex")
    .toString("latin1")
    .replace(/\u00FF+$/, "");
  const isOfSimulation = /^[\w-]+$/.test(name) && onWire(name, false) === uuid;
  return isOfSimulation ? name : uuid;
}
