import type {
  DayClosing,
  TerminalClient,
  TerminalMessage,
  TerminalReport,
} from "../../../simulated/terminal-client.ts";
import { waitFor } from "../../../../../test/support/wait-for.ts";

let messages = 0;
export const aMessage = (type: string, more: Partial<TerminalMessage> = {}): TerminalMessage => ({
  messageID: `message ${++messages}`,
  sessionID: "a session",
  sequence: messages,
  expiresInMs: 60_000,
  type,
  ...more,
});

export const aPayment = (total: number, more: Partial<TerminalMessage> = {}) =>
  aMessage("payment", { totalAmountInclVat: total, currency: "SEK", ...more });

/** A platform as a terminal sees it. It delivers the given messages, and accepts reports while it responds. */
export function aPlatform() {
  const waiting: TerminalMessage[] = [];
  const reports: TerminalReport[] = [];
  const questions: { readonly actionRequestID: string; readonly [field: string]: unknown }[] = [];
  const closings: DayClosing[] = [];
  const did: string[] = [];
  let answers = true;
  let losing: "dayTotals" | undefined;
  let wake = () => {};
  const client: TerminalClient = {
    async next(_, { signal } = {}) {
      did.push("poll");
      if (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal?.addEventListener("abort", () => resolve(), { once: true });
        });
      return waiting.shift();
    },
    async report(report) {
      if (!answers) return 503;
      did.push(report.type);
      reports.push(report);
      return 200;
    },
    async raiseActionRequest(ask) {
      questions.push(ask);
      return 202;
    },
    async closeDay(closing) {
      if (!answers) return 503;
      closings.push(closing);
      if (losing === "dayTotals") throw new Error("no response");
      did.push("dayTotals");
      return 200;
    },
  };
  return {
    client,
    /** Its polls, and the accepted reports and closings, in order. */
    did,
    questions,
    /** Every closing that arrived, even without a response. */
    closings: closings as readonly DayClosing[],
    goesAway: () => void (answers = false),
    /** A lost call arrives, but gets no response. */
    comesBack(trouble: { readonly losing: "dayTotals" }) {
      answers = true;
      losing = trouble.losing;
    },
    give(message: TerminalMessage) {
      waiting.push(message);
      wake();
    },
    told: (type: string) => reports.filter((report) => report.type === type),
    /** Waits for the report of this type. */
    until: (type: string) =>
      waitFor(`the report ${type}`, async () => reports.find((report) => report.type === type), {
        show: () => reports,
      }),
  };
}
