import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { approvedAmount, scriptFor, type Script } from "./scripts.ts";
import { reportOutbox, type TerminalClient, type TerminalMessage } from "./terminal-client.ts";

/** What the autopilot remembers of a session, as hardware must: how it ended, and which authorisation it got. */
interface Known {
  readonly request: TerminalMessage;
  readonly script: Script;
  /** What the card would be charged: discounts lower it. */
  total: number;
  result: string | undefined;
  /** What goes with the result whenever it is told. */
  more: Record<string, unknown>;
  aborted: boolean;
}

export interface AutopilotOptions {
  /** Milliseconds of one step of a script. */
  readonly paceMs: number;
  /** Hears what the terminal tells for the first time, in answer to a message that it obeyed. */
  readonly journal?: (message: TerminalMessage, told: string) => void;
}

type Answer = readonly [type: string, more?: Record<string, unknown>];
type Report = Parameters<ReturnType<typeof reportOutbox>>[0];

/**
 * A terminal without hands: it plays the script that an amount's minor digits ask for. It keeps a terminal's part of the
 * bargain: obeys each message once, answers a repeat with the first result, refuses what is expired or was cancelled before.
 */
export function startAutopilot(client: TerminalClient, options: AutopilotOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const send = reportOutbox(client, stopping.signal);
  const told = new Map<string, Report[]>();
  const sessions = new Map<string, Known>();
  const cancelled = new Set<string>();
  const answers = new Map<string, (responseCode: string) => void>();
  const pause = (steps: number) =>
    sleep(options.paceMs * steps, undefined, { signal: stopping.signal }).catch(() => {});

  const tell = (message: TerminalMessage, type: string, more: Record<string, unknown> = {}) => {
    const { sessionID, messageID, actionRequestID } = message;
    const of = actionRequestID === undefined ? { sessionID } : { actionRequestID };
    const report = { ...more, reportID: randomUUID(), type, messageID, ...of };
    told.get(messageID)?.push(report);
    options.journal?.(message, type);
    send(report, message.traceparent);
  };

  async function pay(message: TerminalMessage): Promise<void> {
    const got = performance.now();
    const { sessionID = "", totalAmountInclVat: total = 0, currency = "" } = message;
    const script = scriptFor(total, currency);
    const known: Known = { request: message, script, total, result: undefined, more: {}, aborted: false };
    if (script.silent) {
      known.result = script.outcome;
      sessions.set(sessionID, known);
      return;
    }
    await pause(script.acceptAfter ?? 1);
    if (cancelled.has(sessionID) || performance.now() - got >= message.expiresInMs) return tell(message, "notStarted");
    sessions.set(sessionID, known);
    tell(message, "accepted");
    const allowed = !script.asksFirst || (await askFirst(sessionID)) === "accepted";
    await pause(script.payAfter ?? 2);
    if (known.aborted && !script.winsRace) known.result = "cancelled";
    else known.result = allowed ? script.outcome : "declined";
    known.more = known.result === "authorized" ? approvalOf(known) : { detail: script.detail };
    tell(message, known.result, known.more);
  }

  /** Asks the partner's server something and waits for its answer, which comes as a message. */
  async function askFirst(sessionID: string): Promise<string> {
    const actionRequestID = randomUUID();
    const answered = new Promise<string>((resolve) => answers.set(actionRequestID, resolve));
    const ask = { actionRequestID, actionCode: "acceptTerms", description: "May this customer pay?", sessionID };
    while ((await client.raiseActionRequest(ask).catch(() => 503)) >= 500 && !stopping.signal.aborted) await pause(5);
    return answered;
  }

  /** What each other message is answered with; a payment runs on by itself. */
  function answerTo(message: TerminalMessage, known: Known | undefined): Answer {
    switch (message.type) {
      case "cancel":
        cancelled.add(message.sessionID ?? "");
        if (!known) return ["notStarted"];
        if (known.result) return [known.result, known.more];
        known.aborted = true;
        return ["acknowledged"];
      case "statusQuery":
        if (!known) return ["notStarted"];
        return known.result ? [known.result, known.more] : ["stillRunning"];
      case "discount":
        if (!known || known.result) return ["discountRefused", { discountID: message.discountID }];
        known.total = message.totalAmountInclVat ?? known.total;
        return ["discountApplied", { discountID: message.discountID }];
      case "capture":
        return known?.script.captureFails ? ["captureFailed", { detail: "host unreachable" }] : ["captured"];
      case "void":
        return known?.script.voidFails ? ["voidFailed", { detail: "host unreachable" }] : ["voided"];
      case "refund": {
        const { refundID } = message;
        return known?.script.refundFails
          ? ["refundFailed", { refundID, detail: "refund refused" }]
          : ["refunded", { refundID }];
      }
      default:
        return ["acknowledged"];
    }
  }

  async function obey(message: TerminalMessage): Promise<void> {
    const before = told.get(message.messageID);
    if (before) return before.forEach((report) => send(report, message.traceparent));
    told.set(message.messageID, []);
    if (message.type === "payment") return pay(message);
    if (message.type === "actionAnswer") answers.get(message.actionRequestID ?? "")?.(message.responseCode ?? "");
    await pause(1);
    tell(message, ...answerTo(message, sessions.get(message.sessionID ?? "")));
  }

  const listening = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const message = await client.next(20, stopping.signal);
        if (message) void obey(message);
      } catch {
        await sleep(500); // the platform is away for a moment: a terminal just keeps asking
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

const approvalOf = ({ script, total, request: { currency = "" } }: Known) => {
  const amount = approvedAmount(script, total, currency);
  return {
    amount,
    currency,
    card: { brand: "visa", last4: "4242", entryMode: "contactless" },
    acquirer: { authorisationCode: randomUUID().slice(0, 6).toUpperCase(), rrn: String(Date.now()) },
    receipt: { customer: ["Thank you", `${currency} ${amount}`], merchant: [`${currency} ${amount}`] },
  };
};
