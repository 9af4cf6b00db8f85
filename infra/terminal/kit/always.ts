import { isDeepStrictEqual } from "node:util";
import type { Broken } from "./money.ts";
import type { Platform } from "./platform.ts";
import type { ReceivedReport } from "./received-report.ts";

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
    refused(platform, reports) ?? changed(reports) ?? renamed(reports) ?? (isPowered ? early(platform) : undefined)
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

function changed(reports: readonly ReceivedReport[]): Broken | undefined {
  const bodies = new Map<string, ReceivedReport["body"]>();
  for (const { reportID, body } of reports) {
    const before = bodies.get(reportID) ?? body;
    if (!isDeepStrictEqual(before, body))
      return { rule: "T3", sees: `The reportID ${reportID} came with two different bodies.` };
    bodies.set(reportID, before);
  }
  return undefined;
}

/** Finds a report that got no final response and came again in the same power-up under another `reportID`, otherwise unchanged. */
function renamed(reports: readonly ReceivedReport[]): Broken | undefined {
  const taken = new Set(reports.flatMap(({ isTaken, reportID }) => (isTaken ? [reportID] : [])));
  const content = ({ body: { reportID: _, ...content } }: ReceivedReport) => content;
  const isAgain = (one: ReceivedReport) => (other: ReceivedReport) =>
    other.reportID !== one.reportID && other.powerUp === one.powerUp && isDeepStrictEqual(content(other), content(one));
  const found = reports.find((one, i) => !taken.has(one.reportID) && reports.slice(i + 1).some(isAgain(one)));
  return found && { rule: "T3", sees: `The unanswered report ${found.type} came again under another reportID.` };
}

/** Finds a call that came before the report of the start was taken. */
function early({ unannounced, powerUps }: Platform): Broken | undefined {
  const found = unannounced.find(({ powerUp }) => powerUp === powerUps());
  return found && { rule: "T1", sees: `${found.call} came before \`started\` was answered.` };
}
