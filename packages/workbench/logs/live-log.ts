import { endpoints } from "../../../functions/endpoints.ts";
import { waitText } from "../live/page/waits.ts";

/** How lines are shown. */
export interface LiveLogOptions {
  /** Colours, for a terminal. */
  readonly isColoured: boolean;
  /** The names of partners and terminals, by their identifiers. */
  readonly names?: ReadonlyMap<string, string>;
  /** Shows each line with all its members, instead of the steps of payments. */
  readonly isFull?: boolean;
}

type Line = Readonly<Record<string, unknown>>;

const colours: Readonly<Record<Level, string>> = {
  error: "\u001B[31m",
  warning: "\u001B[33m",
  information: "\u001B[36m",
};
const [DIM, PLAIN] = ["\u001B[2m", "\u001B[0m"];

/** Members that have a fixed place in the line, or are the same in every line. */
const placed = new Set(["event", "level", "time", "function", "status", "ms", "trace", "version"]);
/** Identifiers that a user copies into a command, or searches for as a `webhook-id`. They are shown whole; others are cut. */
const whole = new Set(["requestID", "session", "landingPage", "eventID"]);
/** Members that the line of a step leaves out. Its effect is shown as the event that a webhook tells. */
const ofFullLines = new Set(["requestID", "partner", "key", "user", "eventID", "effect"]);

/**
 * Returns the text of a line of the app's log: one readable line for each event. Other lines of the host have no text: they are in its log
 * file. Known identifiers are shown by name, unknown ones by their last eight characters, and those of requests, sessions, pages and events
 * in full.
 *
 * If not every line is shown, routine runs of workers and repeated successful reads have no text. The next line counts the reads. A line
 * about a webhook then names the event's type, and a failed attempt ends with what follows.
 */
export function liveLog({ isColoured, names = new Map(), isFull = false }: LiveLogOptions) {
  const paint = (colour: string | undefined, text: string) =>
    isColoured && colour !== undefined ? `${colour}${text}${PLAIN}` : text;
  const reads = newReads();

  const isLeftOut = (line: Line): boolean => !isFull && (isRoutineWork(line) || reads.isRepeated(line));

  function membersOf(line: Line, isStep: boolean): string {
    const isShown = (name: string): boolean => !placed.has(name) && !(isStep && isLeftToFullLines(name, line));
    const shown = Object.entries(line).flatMap(([name, value]) =>
      isShown(name) ? [`${name}=${shownValue(name, value, names)}`] : [],
    );
    return [...shown, ...reads.counted()].join(" ");
  }

  return (text: string): string | undefined => {
    const line = eventIn(text);
    if (!line || isLeftOut(line)) return undefined;
    const isStep = !isFull && (isRoutine(line) || isAttempt(line));
    const { event = "", time = "" } = line;
    return [
      paint(DIM, textOf(time).slice("2026-11-21T".length, -1)),
      paint(colours[levelOf(line)], textOf(event).padEnd(15)),
      ...headOf(line, isFull),
      paint(DIM, membersOf(line, isStep)),
      ...(isFull ? [] : wordsOf(line)),
    ].join("  ");
  };
}

/** What ran, how it ended, and how long it took, as far as the line tells. */
function headOf(line: Line, isFull: boolean): readonly string[] {
  const { function: of, status, ms } = line;
  const took = ms === undefined ? undefined : `${textOf(ms)} ms`;
  const known = [(isFull ? undefined : toldBy(line)) ?? of, status, took].filter((part) => part !== undefined);
  return known.map(textOf);
}

/** The words at the end of a step: when a failed attempt is repeated, and that a 404 is usual. */
function wordsOf(line: Line): readonly string[] {
  const { function: of, code, outcome, dueMs } = line;
  if (of === "get-landing-page" && code === "landing_page_not_found")
    return ["usual before a voucher or key is requested on this page"];
  if (!isAttempt(line) || outcome === "delivered") return [];
  const failed = outcome === "postponed" ? "" : "failed; ";
  if (typeof dueMs !== "number") return [`${failed}there is no further attempt`];
  return [`${failed}the next attempt follows in ${waitText(Math.round(dueMs / 1_000))}`];
}

/** The members of the event in a line of the app's output. Undefined for the host's own lines. */
export function eventIn(text: string): Line | undefined {
  const [json] = /\{"event":.*\}$/.exec(text) ?? [];
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as Line;
  } catch {
    return undefined; // the text only looks like an event
  }
}

export const levels = ["information", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** The level of an event. Lines of the lowest level do not tell it. */
export const levelOf = ({ level = "information" }: Line): Level => level as Level;

const isSuccess = ({ status }: Line): boolean => typeof status !== "number" || status < 400;
const isRoutine = (line: Line): boolean => levelOf(line) === "information" && isSuccess(line);
const isRoutineWork = (line: Line): boolean => line["event"] === "worker" && isRoutine(line);

const isAttempt = ({ event }: Line): boolean => event === "webhookAttempt";

/** The type of the event in a line about a webhook, such as `payment.captured`. */
const toldBy = ({ event, effect }: Line): string | undefined =>
  textOf(event).startsWith("webhook") && typeof effect === "string" ? effect.split("~")[1] : undefined;

/** Whether the line of a step leaves this member out. Its status or its words tell the rest. */
const isLeftToFullLines = (name: string, line: Line): boolean =>
  ofFullLines.has(name) ||
  (isAttempt(line) && (name === "dueMs" || (name === "outcome" && line["outcome"] === "status")));

/** The functions that only read. A terminal's poll is not among them: its line tells that it got a message. */
const readFunctions = new Set<unknown>(
  endpoints.flatMap(({ contract: { method, name } }) => (method === "GET" && name !== "next-message" ? [name] : [])),
);
/** The number of reads that are remembered. Older ones count as new again. */
const MOST_READS = 1_000;

/** The successful reads so far. */
function newReads() {
  const seen = new Set<string>();
  let repeated = 0;
  return {
    isRepeated(line: Line): boolean {
      if (line["event"] !== "request" || !readFunctions.has(line["function"]) || !isSuccess(line)) return false;
      const read = ["function", "partner", "terminal", "session", "landingPage"].map((name) => line[name]).join(" ");
      if (!seen.has(read)) {
        if (seen.size >= MOST_READS) seen.clear();
        seen.add(read);
        return false;
      }
      repeated++;
      return true;
    },
    /** The repeated reads since the last line, as a member of a line. */
    counted(): readonly string[] {
      const counted = repeated === 0 ? [] : [`repeatedReads=${repeated}`];
      repeated = 0;
      return counted;
    },
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function shownValue(name: string, value: unknown, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return value.join(" < ");
  const text = textOf(value);
  const isIdentifier = /^[0-9a-f]{8}-[0-9a-f-]{27}(?:_\d+)?$/.test(text);
  return isIdentifier && !whole.has(name) ? (names.get(text) ?? text.replace(/^[0-9a-f-]{28}/, "…")) : text;
}
