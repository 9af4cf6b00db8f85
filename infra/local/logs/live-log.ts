/** How lines are shown: in colours on a terminal, plain elsewhere. */
export interface LiveLogOptions {
  readonly isColoured: boolean;
  readonly write: (line: string) => void;
}

const colours: Readonly<Record<string, string>> = {
  error: "\u001B[31m",
  warning: "\u001B[33m",
  information: "\u001B[36m",
};
const [DIM, PLAIN] = ["\u001B[2m", "\u001B[0m"];

/** Members that have a fixed place in the line, or are the same in every line. */
const placed = new Set(["event", "level", "time", "function", "status", "ms", "traceparent", "version"]);
/** Identifiers that a user copies into a command, or searches for as a `webhook-id`. They are shown whole; others are cut. */
const whole = new Set(["requestID", "session", "landingPage", "eventID"]);

/**
 * Shows the app's log as it is written, one readable line for each event. Other lines of the host are not shown: they are in its log file.
 * The identifiers of requests, sessions, pages and events are shown whole, others by their first eight characters.
 */
export function liveLog({ isColoured, write }: LiveLogOptions): (line: string) => void {
  const paint = (colour: string | undefined, text: string) =>
    isColoured && colour !== undefined ? `${colour}${text}${PLAIN}` : text;
  return (line) => {
    const read = eventIn(line);
    if (!read) return;
    const { event = "", level = "", time = "", function: of = "", status, ms } = read;
    const rest = Object.entries(read).flatMap(([name, value]) =>
      placed.has(name) ? [] : [`${name}=${shown(name, value)}`],
    );
    const head = [of, status, ms === undefined ? undefined : `${text(ms)} ms`].flatMap((part) =>
      part === undefined ? [] : text(part),
    );
    write(
      [
        paint(DIM, text(time).slice("2026-11-21T".length, -1)),
        paint(colours[text(level)], text(event).padEnd(15)),
        ...head.filter((part) => part !== ""),
        paint(DIM, rest.join(" ")),
      ].join("  "),
    );
  };
}

/** The members of the event in a line of the app's output. Undefined for the host's own lines. */
export function eventIn(line: string): Readonly<Record<string, unknown>> | undefined {
  const [json] = /\{"event":.*\}$/.exec(line) ?? [];
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined; // the line only looks like an event
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function shown(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.join(" < ");
  const isIdentifier = /^[0-9a-f]{8}-[0-9a-f-]{27}(?:_\d+)?$/.test(text(value));
  return isIdentifier && !whole.has(name) ? text(value).replace(/^(.{8})[0-9a-f-]{28}/, "$1") : text(value);
}
