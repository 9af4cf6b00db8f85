import type { Exchange } from "../../terminal/simulated/line.ts";
import type { TerminalMessage, TerminalReport } from "../../terminal/simulated/terminal-client.ts";
import { blank, displayAt, reported, type Moment, type Screen } from "./display.ts";
import type { DisplayView, JournalLine } from "./views/terminals.ts";

const LONGEST_JOURNAL = 20;

/** The visible side of a terminal: its display, and its last exchanges with the platform. */
export interface TerminalWatch {
  display(): DisplayView;
  journal(): readonly JournalLine[];
  /** A message that arrived, or a report that was sent. */
  readonly exchanged: (exchange: Exchange) => void;
  readonly reported: (message: TerminalMessage, report: TerminalReport) => void;
  /** Changes what the display shows. */
  change(next: (screen: Screen, moment: Moment) => Screen): void;
  /** The power was cut, and the memory is lost. */
  reset(): void;
  stop(): void;
}

/** `changed` is called whenever the terminal looks different. The result of a payment is shown for `noticeMs`. */
export function watchTerminal({
  now,
  noticeMs,
  changed,
}: {
  readonly now: () => number;
  readonly noticeMs: number;
  readonly changed: () => void;
}): TerminalWatch {
  let screen = blank;
  let journal: readonly JournalLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  const show = (next: Screen) => {
    screen = next;
    clearTimeout(timer);
    const { until } = next.notice ?? {};
    if (until !== undefined) timer = setTimeout(changed, Math.max(0, until - now()) + 1);
    changed();
  };
  return {
    display: () => displayAt(screen, now()),
    journal: () => journal,
    exchanged({ direction, type, sessionID, status }) {
      const line: JournalLine = {
        at: now(),
        direction,
        type,
        ...(sessionID !== undefined && { sessionId: sessionID }),
        ...(status !== undefined && { status }),
      };
      journal = [line, ...journal].slice(0, LONGEST_JOURNAL);
      setImmediate(changed); // by then the report has left the outbox
    },
    reported: (message, report) => show(reported(screen, message, report, { now: now(), noticeMs })),
    change: (next) => show(next(screen, { now: now(), noticeMs })),
    reset: () => show(blank),
    stop: () => clearTimeout(timer),
  };
}
