import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { scriptFor } from "./scripts.ts";
import { reportOutbox, type TerminalClient, type TerminalMessage } from "./terminal-client.ts";

/** What the autopilot remembers of a session, as hardware must: how it ended, and which authorisation it got. */
interface Known {
  readonly request: TerminalMessage;
  result: string | undefined;
  aborted: boolean;
  approval: Record<string, unknown>;
}

type Answer = readonly [type: string, more?: Record<string, unknown>];

/**
 * A terminal without hands: it plays the script that an amount's minor digits ask for. It keeps a terminal's part of the
 * bargain: obeys each message once, answers a repeat with the first result, refuses what is expired or was cancelled before.
 */
export function startAutopilot(
  client: TerminalClient,
  options: { readonly paceMs: number },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const send = reportOutbox(client, stopping.signal);
  const answered = new Map<
    string,
    { type: string; sessionID: string; more: Record<string, unknown>; reportID: string }[]
  >();
  const sessions = new Map<string, Known>();
  const cancelled = new Set<string>();
  const pause = (steps: number) =>
    sleep(options.paceMs * steps, undefined, { signal: stopping.signal }).catch(() => {});

  const tell = (message: TerminalMessage, type: string, more: Record<string, unknown> = {}) => {
    const { sessionID, messageID } = message;
    const report = { reportID: randomUUID(), type, sessionID, more };
    answered.get(messageID)?.push(report);
    send({ ...more, reportID: report.reportID, type, sessionID, messageID });
  };

  async function pay(message: TerminalMessage): Promise<void> {
    const got = performance.now();
    const script = scriptFor(message.totalAmountInclVat ?? 0, message.currency ?? "");
    await pause(script.acceptAfter ?? 1);
    if (cancelled.has(message.sessionID) || performance.now() - got >= message.expiresInMs) {
      return tell(message, "notStarted");
    }
    const known: Known = { request: message, result: undefined, aborted: false, approval: {} };
    sessions.set(message.sessionID, known);
    tell(message, "accepted");
    await pause(script.payAfter ?? 2);
    if (known.aborted) known.result = "cancelled";
    else known.result = script.outcome;
    if (known.result === "authorized") known.approval = approvalOf(message, script.approvedAmount);
    tell(message, known.result, known.result === "authorized" ? known.approval : { detail: script.detail });
  }

  /** What each other message is answered with; a payment runs on by itself. */
  function answerTo(message: TerminalMessage, known: Known | undefined): Answer {
    switch (message.type) {
      case "cancel":
        cancelled.add(message.sessionID);
        if (!known) return ["notStarted"];
        if (known.result) return [known.result, known.approval];
        known.aborted = true;
        return ["acknowledged"];
      case "statusQuery":
        if (!known) return ["notStarted"];
        return known.result ? [known.result, known.approval] : ["stillRunning"];
      case "capture":
        return ["captured"];
      case "void":
        return ["voided"];
      default:
        return ["acknowledged"];
    }
  }

  async function obey(message: TerminalMessage): Promise<void> {
    const before = answered.get(message.messageID);
    if (before) {
      const { messageID } = message;
      for (const { more, ...report } of before) send({ ...more, ...report, messageID });
      return;
    }
    answered.set(message.messageID, []);
    if (message.type === "payment") return pay(message);
    await pause(1);
    tell(message, ...answerTo(message, sessions.get(message.sessionID)));
  }

  const listening = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const message = await client.next(20, stopping.signal);
        if (message) void obey(message);
      } catch {
        await pause(5); // the platform is away for a moment: a terminal just keeps asking
      }
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}

const approvalOf = (message: TerminalMessage, amount = message.totalAmountInclVat) => ({
  amount,
  currency: message.currency,
  card: { brand: "visa", last4: "4242", entryMode: "contactless" },
  acquirer: { authorisationCode: randomUUID().slice(0, 6).toUpperCase(), rrn: String(Date.now()) },
  receipt: { customer: ["Thank you", `${message.currency} ${amount}`], merchant: [`${message.currency} ${amount}`] },
});
