import { isDeepStrictEqual } from "node:util";
import type { Broken } from "./money.ts";
import type { Platform } from "./platform.ts";
import type { Told } from "./told.ts";

/** The moment at which a scenario begins. */
interface Since {
  /** The index of its first report. */
  readonly firstTold: number;
  /** Whether the scenario has switched the terminal on. */
  readonly isPowered: boolean;
}

/** Checks the rules that hold in every scenario. Returns the first broken rule. */
export function brokenAlways(platform: Platform, { firstTold, isPowered }: Since): Broken | undefined {
  const told = platform.told.slice(firstTold);
  return refused(platform, told) ?? changed(told) ?? renamed(told) ?? (isPowered ? early(platform) : undefined);
}

/** Rejections that say nothing about the report itself. */
const notOfTheReport: ReadonlySet<number> = new Set([401, 429]);

function refused({ exchanges }: Platform, told: readonly Told[]): Broken | undefined {
  for (const { index, isTaken, type } of told) {
    const { status = 0, body = "" } = exchanges[index] ?? {};
    const isRefused = !isTaken && status >= 400 && status < 500 && !notOfTheReport.has(status);
    if (isRefused) return { rule: "T4", sees: `The report ${type} was refused: ${status} ${body}` };
  }
  return undefined;
}

function changed(told: readonly Told[]): Broken | undefined {
  const bodies = new Map<string, Told["body"]>();
  for (const { reportID, body } of told) {
    const before = bodies.get(reportID) ?? body;
    if (!isDeepStrictEqual(before, body))
      return { rule: "T3", sees: `The reportID ${reportID} came with two different bodies.` };
    bodies.set(reportID, before);
  }
  return undefined;
}

/** Finds a report that got no final response and came again in the same power-up under another `reportID`, otherwise unchanged. */
function renamed(told: readonly Told[]): Broken | undefined {
  const taken = new Set(told.flatMap(({ isTaken, reportID }) => (isTaken ? [reportID] : [])));
  const content = ({ body: { reportID: _, ...content } }: Told) => content;
  const isAgain = (one: Told) => (other: Told) =>
    other.reportID !== one.reportID && other.powerUp === one.powerUp && isDeepStrictEqual(content(other), content(one));
  const found = told.find((one, i) => !taken.has(one.reportID) && told.slice(i + 1).some(isAgain(one)));
  return found && { rule: "T3", sees: `The unanswered report ${found.type} came again under another reportID.` };
}

/** Finds a call that came before the report of the start was taken. */
function early({ unannounced, powerUps }: Platform): Broken | undefined {
  const found = unannounced.find(({ powerUp }) => powerUp === powerUps());
  return found && { rule: "T1", sees: `${found.call} came before \`started\` was answered.` };
}
