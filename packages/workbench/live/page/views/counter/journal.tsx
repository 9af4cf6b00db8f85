import type { JSX } from "preact";
import { Empty, Panel, Time } from "../../parts.tsx";
import type { JournalLine, TerminalView } from "../../../views/terminals.ts";

/** The last messages between the terminal and the platform, the newest first. */
export const Journal = ({ terminal: { name, journal } }: { terminal: TerminalView }): JSX.Element => (
  <Panel title="The terminal's journal">
    {journal.length === 0 ? (
      <div class="journal-empty">
        <Empty>The messages between {name} and the platform are shown here.</Empty>
      </div>
    ) : (
      <ol class="journal" tabIndex={0} aria-label={`Last exchanges of ${name}, the newest first`}>
        {journal.map((line, index) => (
          <Line key={`${line.at}-${line.direction}-${line.type}-${journal.length - index}`} line={line} />
        ))}
      </ol>
    )}
  </Panel>
);

function Line({ line: { at, direction, type, status } }: { line: JournalLine }): JSX.Element {
  const isRefused = status !== undefined && status >= 400;
  return (
    <li class={`is-${direction}`}>
      <Time at={at} />
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={direction === "in" ? "M8 2v11M4 9.5 8 13.5l4-4" : "M8 14V3M4 6.5 8 2.5l4 4"} />
      </svg>
      <span class="journal-what">
        <span class="unseen">{direction === "in" ? "from the platform: " : "from the terminal: "}</span>
        {sayings[direction].get(type) ?? type}
        <span class="quiet mono">
          {type}
          {status !== undefined && !isRefused && ` → ${status}`}
        </span>
      </span>
      {isRefused && <span class="badge tone-bad">{status}</span>}
    </li>
  );
}

/** Each message and report in words. If the page does not know a type, it shows the type alone. */
const sayings: Readonly<Record<JournalLine["direction"], ReadonlyMap<string, string>>> = {
  in: new Map(
    Object.entries({
      payment: "Take this payment",
      cancel: "Stop this payment",
      discount: "Reduce the amount",
      capture: "Capture the money",
      void: "Give the charge back",
      refund: "Return money",
      statusQuery: "What is the outcome?",
      actionAnswer: "The shop's answer",
    }),
  ),
  out: new Map(
    Object.entries({
      started: "I have just started",
      accepted: "I have accepted it",
      authorized: "A card was approved",
      declined: "The card was declined",
      cancelled: "The customer cancelled",
      failed: "I failed",
      notStarted: "I did not start it",
      acknowledged: "Understood",
      stillRunning: "It is still running",
      captured: "The money is captured",
      captureFailed: "It could not be captured",
      voided: "It is given back",
      voidFailed: "It is not given back",
      refunded: "The money is returned",
      refundFailed: "It could not be returned",
      discountApplied: "The new amount is shown",
      discountRefused: "Too late for another amount",
      actionRequest: "A question to the shop",
      dayTotals: "I close my day",
    }),
  ),
};
