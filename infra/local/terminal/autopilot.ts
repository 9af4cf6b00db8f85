import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { answerTo } from "./answers.ts";
import { afterPowerCut, emptyMemory, type TerminalMemory } from "./memory.ts";
import { approval, endingOf, newSession, type Session } from "./session.ts";
import {
  isAnswered,
  LONGEST_WAIT_SECONDS,
  reportOutbox,
  type TerminalClient,
  type TerminalMessage,
  type TerminalReport,
} from "./terminal-client.ts";

export interface AutopilotOptions {
  /** Milliseconds of one step of a script. */
  readonly paceMs: number;
  /** What survived a power cut. Where left out the terminal begins without memory, and reports that. */
  readonly memory?: TerminalMemory | undefined;
  /** Receives each first report that answers a message. */
  readonly journal?: (message: TerminalMessage, report: TerminalReport) => void;
}

/**
 * A terminal that needs no person: it plays the script that an amount's minor digits select. It fulfils a terminal's duties: it obeys each
 * message once; answers a repeat with the first result; refuses a payment that has expired, that it had to cancel, or that it reported as
 * not started; and captures, voids and refunds the charge that a message names, once. It reports its start first. A stop is a power cut:
 * all work ends, and its memory stays as it was.
 */
export function startAutopilot(client: TerminalClient, options: AutopilotOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { memory = emptyMemory() } = options;
  const { reports, sessions, refused } = memory;
  const answers = new Map<string, (responseCode: string) => void>();
  const powerCut = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const pause = async (steps: number) => {
    await sleep(options.paceMs * steps, undefined, { signal }).catch(() => {});
    if (signal.aborted) await new Promise<never>(() => {});
  };

  async function reportStart(): Promise<void> {
    const started = { reportID: randomUUID(), type: "started", memory: memory.isKept ? "kept" : "lost" };
    while (!isAnswered(await client.report(started).catch(() => 503))) await pause(5);
    memory.isKept = true;
  }
  const ready = reportStart();
  const send = reportOutbox(client, { waiting: memory.outbox, ready, signal });

  const tell = (message: TerminalMessage, type: string, more: Record<string, unknown> = {}) => {
    const { sessionID, messageID, actionRequestID } = message;
    const of = actionRequestID === undefined ? { sessionID } : { actionRequestID };
    const report = { ...more, reportID: randomUUID(), type, messageID, ...of };
    reports.get(messageID)?.push(report);
    options.journal?.(message, report);
    send(report, message.traceparent);
  };

  async function pay(message: TerminalMessage): Promise<void> {
    const got = performance.now();
    const { sessionID = "" } = message;
    const session = newSession(message);
    const { script } = session;
    if (script.silent) {
      session.ending = [script.outcome];
      sessions.set(sessionID, session);
      return;
    }
    await pause(script.acceptAfter ?? 1);
    const isTooLate = refused.has(sessionID) || performance.now() - got >= message.expiresInMs;
    if (isTooLate) return tell(message, "notStarted");
    sessions.set(sessionID, session);
    tell(message, "accepted");
    const allowed = !script.asksFirst || (await askFirst(sessionID)) === "accepted";
    await pause(script.payAfter ?? 2);
    session.ending = endingOf(session, allowed);
    tell(message, ...session.ending);
    return chargeOn(session);
  }

  /** Charges cards although the payment has ended, where the script says so. */
  async function chargeOn(session: Session): Promise<void> {
    const { message, script, charges } = session;
    if (script.chargesTwice && charges.length > 0) tell(message, ...approval(session));
    if (script.chargesAfter === undefined) return;
    await pause(script.chargesAfter);
    tell(message, ...approval(session));
  }

  /** Raises an action request at the partner's server and waits for the response, which arrives as a message. */
  async function askFirst(sessionID: string): Promise<string> {
    const actionRequestID = randomUUID();
    const answered = new Promise<string>((resolve) => answers.set(actionRequestID, resolve));
    const ask = { actionRequestID, actionCode: "acceptTerms", description: "May this customer pay?", sessionID };
    while ((await client.raiseActionRequest(ask).catch(() => 503)) >= 500 && !signal.aborted) await pause(5);
    return answered;
  }

  async function obey(message: TerminalMessage): Promise<void> {
    const before = reports.get(message.messageID);
    if (before) return before.forEach((report) => send(report, message.traceparent));
    reports.set(message.messageID, []);
    if (message.type === "payment") return pay(message);
    if (message.type === "actionAnswer") answers.get(message.actionRequestID ?? "")?.(message.responseCode ?? "");
    await pause(1);
    const { sessionID = "" } = message;
    const answer = answerTo(message, sessions.get(sessionID));
    if (message.type === "cancel" || answer[0] === "notStarted") refused.add(sessionID);
    tell(message, ...answer);
  }

  for (const { message, ending } of afterPowerCut(memory)) if (ending) tell(message, ...ending);
  const listening = (async () => {
    await Promise.race([ready, powerCut]);
    let received: string | undefined;
    while (!signal.aborted) {
      try {
        const message = await client.next(LONGEST_WAIT_SECONDS, { received, signal });
        if (!message || signal.aborted) continue;
        received = message.messageID;
        void obey(message);
      } catch {
        await sleep(500, undefined, { signal }).catch(() => {}); // the platform is away for a moment: a terminal goes on polling
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
