import { isDeepStrictEqual } from "node:util";
import type { Exchange } from "./exchange.ts";
import type { Broken } from "./money.ts";
import type { Platform } from "./platform.ts";
import { membersOf, type ReceivedReport } from "./received-report.ts";
import type { RuleNumber } from "./rules.ts";

/** The moment at which a scenario begins. */
interface Since {
  /** The index of its first report. */
  readonly firstReport: number;
  /** Whether the scenario has switched the terminal on. */
  readonly isPowered: boolean;
}

/** Checks the rules that hold in every scenario. Returns the first broken rule. */
export function brokenAlways(platform: Platform, { firstReport, isPowered }: Since): Broken | undefined {
  const reports = platform.reports.slice(firstReport);
  return (
    refused(platform, reports) ??
    unnamed(reports) ??
    changed(reports) ??
    renamed(reports) ??
    rereferenced(reports) ??
    misdated(platform, reports) ??
    (isPowered ? early(platform) : undefined)
  );
}

/** Rejections that say nothing about the report itself. */
const notOfTheReport: ReadonlySet<number> = new Set([401, 429]);

function refused({ exchanges }: Platform, reports: readonly ReceivedReport[]): Broken | undefined {
  for (const { index, isTaken, type } of reports) {
    const { status = 0, body = "" } = exchanges[index] ?? {};
    const isRefused = !isTaken && status >= 400 && status < 500 && !notOfTheReport.has(status);
    if (isRefused) return { rule: "T4", sees: `The report ${type} was refused: ${status} ${body}` };
  }
  return undefined;
}

/** Finds a report about a session that names no message. */
function unnamed(reports: readonly ReceivedReport[]): Broken | undefined {
  const found = reports.find(({ sessionID, messageID }) => sessionID !== undefined && messageID === undefined);
  return found && { rule: "T4", sees: `The report ${found.type} names no messageID.` };
}

function changed(reports: readonly ReceivedReport[]): Broken | undefined {
  const bodies = new Map<string, object>();
  for (const { reportID, body } of reports) {
    const { agoMs: _, ...lasting } = body;
    const before = bodies.get(reportID) ?? lasting;
    if (!isDeepStrictEqual(before, lasting))
      return { rule: "T3", sees: `The reportID ${reportID} came with two different bodies.` };
    bodies.set(reportID, before);
  }
  return undefined;
}

/** Finds a report that got no final response and came again in the same power-up under another `reportID`, otherwise unchanged. */
function renamed(reports: readonly ReceivedReport[]): Broken | undefined {
  const taken = new Set(reports.flatMap(({ isTaken, reportID }) => (isTaken ? [reportID] : [])));
  const content = ({ body: { reportID: _, agoMs: __, ...content } }: ReceivedReport) => content;
  const isAgain = (one: ReceivedReport) => (other: ReceivedReport) =>
    other.reportID !== one.reportID && other.powerUp === one.powerUp && isDeepStrictEqual(content(other), content(one));
  const found = reports.find((one, i) => !taken.has(one.reportID) && reports.slice(i + 1).some(isAgain(one)));
  return found && { rule: "T3", sees: `The unanswered report ${found.type} came again under another reportID.` };
}

/** The rule by which a movement happens once, by the report of the movement. */
const movedBy: Readonly<Record<string, RuleNumber>> = {
  authorized: "T15",
  captured: "T16",
  voided: "T17",
  refunded: "T18",
};

/** Finds two reports of one movement with different references of the acquirer. A terminal may send none, or only some. */
function rereferenced(reports: readonly ReceivedReport[]): Broken | undefined {
  const known = new Map<string, unknown>();
  for (const { type, chargeID, body } of reports) {
    const rule = movedBy[type];
    const { refundID } = body;
    const of = type !== "refunded" ? chargeID : typeof refundID === "string" ? refundID.toLowerCase() : undefined;
    if (!rule || of === undefined) continue;
    for (const [member, value] of Object.entries(membersOf(body["acquirer"]))) {
      const name = `${type} ${of} ${member}`;
      if (known.has(name) && known.get(name) !== value)
        return { rule, sees: `The report ${type} of ${of} came with two different values of acquirer.${member}.` };
      known.set(name, value);
    }
  }
  return undefined;
}

/** The least time between two sendings whose ages must differ. A terminal waits longer before it repeats a report. */
const APART_MS = 50;
/** How far a terminal's clock may differ from the kit's. */
const SLACK_MS = 1_000;

/** Finds a wrong age of a report. A terminal may send none. */
function misdated({ exchanges }: Platform, reports: readonly ReceivedReport[]): Broken | undefined {
  const timeOf = ({ index }: ReceivedReport) => exchanges[index]?.at ?? 0;
  for (const [i, report] of reports.entries()) {
    const { type, sessionID, body } = report;
    const { agoMs } = body;
    if (agoMs === undefined) continue;
    const before = reports.slice(0, i);
    const isStale = (one: ReceivedReport) => one.body["agoMs"] === agoMs && timeOf(report) - timeOf(one) > APART_MS;
    if (before.some((one) => one.reportID === report.reportID && isStale(one)))
      return { rule: "T25", sees: `The report ${type} came again with the same agoMs, ${JSON.stringify(agoMs)}.` };
    if (before.some((one) => isOfCharge(one, report) && one.powerUp < report.powerUp))
      return { rule: "T19", sees: `The report ${type} has agoMs, although the power was cut since its event.` };
    const first = exchanges.find((one) => one.status === 200 && isAbout(one, sessionID));
    const most = timeOf(report) - (first?.at ?? 0) + SLACK_MS;
    if (typeof agoMs !== "number" || agoMs < 0 || agoMs > most)
      return {
        rule: "T25",
        sees: `The agoMs of ${type} is ${JSON.stringify(agoMs)}. Its session began less than ${Math.round(most)} ms ago.`,
      };
  }
  return undefined;
}

const isOfCharge = ({ chargeID }: ReceivedReport, other: ReceivedReport): boolean =>
  chargeID !== undefined && chargeID === other.chargeID;

const isAbout = ({ operation, body }: Exchange, sessionID = ""): boolean =>
  operation === "next-message" && body.toLowerCase().includes(`"${sessionID}"`);

/** Finds a call that came before the report of the start was taken. */
function early({ unannounced, powerUps }: Platform): Broken | undefined {
  const found = unannounced.find(({ powerUp }) => powerUp === powerUps());
  return found && { rule: "T1", sees: `${found.call} came before \`started\` was answered.` };
}
