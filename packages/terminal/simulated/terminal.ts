import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ASKS_TIPS } from "../../../shared/domain/payment/record/tip.ts";
import { answerTo, keyOf } from "./answers.ts";
import { newBackoff, type Backoff } from "./backoff.ts";
import { afterPowerCut, emptyMemory, type TerminalMemory } from "./memory.ts";
import type { Script } from "./scripts.ts";
import { countDay, dayInUtc, type Lie } from "./business-day.ts";
import type { PlayedDevice } from "./device.ts";
import { startOutbox } from "./outbox.ts";
import { approval, newSession, type Answer, type Enter, type PresentedCard, type Session } from "./session.ts";
import {
  isAnswered,
  LONGEST_WAIT_SECONDS,
  savingFirst,
  tellingAge,
  type TerminalClient,
  type TerminalMessage,
  type TerminalReport,
} from "./terminal-client.ts";

/** A question to the partner's server. */
export interface Question {
  readonly actionCode: string;
  readonly description: string;
  readonly sessionID?: string | undefined;
}

/** A terminal with power, as its customer uses it. */
export interface AtTerminal {
  /** Reports an event that a message caused, under a new `reportID`. */
  answer(message: TerminalMessage, ...report: Answer): void;
  /** Charges a card for a payment. Returns the report, which the caller must still send with `answer`. */
  charge(session: Session, card: PresentedCard): Answer;
  /** Waits this many steps of the terminal's pace. Never resolves after a power cut. */
  pause(steps: number): Promise<void>;
  /** Raises an action request. Resolves with the partner's response, or with `refused` if the platform rejects the request. */
  ask(question: Question): Promise<string>;
  /** The current business day. */
  today(): string;
  /**
   * Closes a business day after every waiting report, correctly or with a lie. If the totals are unchanged, it repeats the previous
   * closing. Otherwise it sends a new closing, which corrects the previous one. Resolves with the status of the response, but never after a
   * power cut.
   */
  closeDay(day: string, lie?: Lie): Promise<number>;
}

/** The customer at a terminal: a script, or a person. */
export interface Customer {
  /** How the terminal and its cards behave in this payment. */
  scriptFor(message: TerminalMessage): Script;
  /** Ends an accepted payment, reports its ending, and does everything else that happens to its cards. */
  pay(session: Session, terminal: AtTerminal): Promise<void>;
}

export interface TerminalOptions {
  /** The device that it says it is. If it is left out, the terminal says only what it can do. */
  readonly device?: PlayedDevice | undefined;
  /** Milliseconds of one step of a script. */
  readonly paceMs: number;
  /** The memory that survived a power cut. If it is left out, the terminal begins without memory, and reports that. */
  readonly memory?: TerminalMemory | undefined;
  /** Stores the memory. The terminal calls it before each request, and when it stops. */
  readonly save?: (() => void) | undefined;
  /** Receives each first report that answers a message. */
  readonly journal?: ((message: TerminalMessage, report: TerminalReport) => void) | undefined;
  /** The current business day, `2026-11-21`. Default: the UTC day. Totals and reports use it for money that moves now. */
  readonly today?: (() => string) | undefined;
  /** From 0 to below 1, for the waits before a retry. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The abilities of every simulated terminal. */
export const ABILITIES: readonly string[] = [ASKS_TIPS];

/** The longest first wait before a retry of a report, and of a poll. */
const [FIRST_WAIT_MS, FIRST_POLL_WAIT_MS] = [100, 500];

/**
 * A terminal for any customer, which fulfils the duties of a terminal. It reports its start first.
 * It obeys each message once, and answers a repeat with the first result. It begins a session once. It makes the refund of a `refundID`
 * once, even if another message requests it. It captures and voids each charge once, and refunds no more of it than was captured.
 * It does not begin a payment that has expired, that it had to cancel, or that it reported as not started.
 * A stop is a power cut: all work ends, and the memory stays unchanged.
 */
export function startTerminal(
  unsaved: TerminalClient,
  options: TerminalOptions & { readonly customer: Customer },
): AtTerminal & { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { customer, memory = emptyMemory(), save = () => {}, today = dayInUtc, random = Math.random } = options;
  const { about: device, battery } = options.device ?? {};
  const chargedAt = new Map<string, number>();
  const client = savingFirst(tellingAge(unsaved, chargedAt), save);
  const { reports, movements, closings } = memory;
  const powerCut = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const wait = async (ms: number) => {
    await sleep(ms, undefined, { signal }).catch(() => {});
    if (signal.aborted) await new Promise<never>(() => {});
  };
  const pause = (steps: number) => wait(options.paceMs * steps);
  const backoff = (firstMs: number) => newBackoff(firstMs, random);

  async function reportStart(): Promise<void> {
    const said = { memory: memory.isKept ? "kept" : "lost", device, can: ABILITIES };
    const started = { reportID: randomUUID(), type: "started", ...said };
    const { next } = backoff(FIRST_WAIT_MS);
    while (!isAnswered(await client.report(started).catch(() => 503))) await wait(next());
    memory.isKept = true;
  }
  const ready = reportStart();
  const send = startOutbox(client, { waiting: memory.outbox, ready, backoff: backoff(FIRST_WAIT_MS), signal });
  const sendReport = (report: TerminalReport, { traceparent }: TerminalMessage) => void send({ report, traceparent });

  const answer: AtTerminal["answer"] = (message, type, more = {}) => {
    const { sessionID, messageID, actionRequestID } = message;
    const of = actionRequestID === undefined ? { sessionID } : { actionRequestID };
    const report = { ...more, reportID: randomUUID(), type, messageID, ...of };
    reports.get(messageID)?.push(report);
    options.journal?.(message, report);
    sendReport(report, message);
  };

  const enter: Enter = (...moved) => {
    const businessDay = today();
    movements.push(...moved.map((movement) => ({ ...movement, businessDay })));
    return businessDay;
  };

  function closeDay(day: string, lie?: Lie): Promise<number> {
    const said = countDay(movements, day, lie);
    const before = closings.get(day);
    const isSame = before && isDeepStrictEqual(before, { closingID: before.closingID, ...said });
    const closing = isSame ? before : { closingID: randomUUID(), ...said };
    closings.set(day, closing);
    return send({ closing });
  }

  const charge: AtTerminal["charge"] = (session, card) => {
    const approved = approval(session, card, enter);
    chargedAt.set(session.charges.at(-1)?.chargeID ?? "", performance.now());
    return approved;
  };
  const questions = newQuestions(client, { wait, backoff });
  const terminal: AtTerminal = { answer, charge, pause, ask: questions.ask, today, closeDay };

  for (const { message, ending } of afterPowerCut(memory)) if (ending) answer(message, ...ending);
  const between = backoff(FIRST_POLL_WAIT_MS);
  const obey = obedient({ memory, customer, terminal, enter, sendReport, told: questions.told });
  const listening = Promise.race([ready, powerCut]).then(() => listen(client, { between, signal, obey, battery }));
  return {
    ...terminal,
    async stop() {
      stopping.abort();
      await listening;
      save();
    },
  };
}

interface Waits {
  /** Waits this many milliseconds. Never resolves after a power cut. */
  readonly wait: (ms: number) => Promise<void>;
  readonly backoff: (firstMs: number) => Backoff;
}

/** The questions to the partner's server, which wait for their answers. */
function newQuestions(client: TerminalClient, { wait, backoff }: Waits) {
  const answers = new Map<string, (responseCode: string) => void>();
  async function ask(question: Question): Promise<string> {
    const actionRequestID = randomUUID();
    const answered = new Promise<string>((resolve) => answers.set(actionRequestID, resolve));
    const raise = () => client.raiseActionRequest({ actionRequestID, ...question }).catch(() => 503);
    const { next } = backoff(FIRST_WAIT_MS);
    let status = await raise();
    while (!isAnswered(status)) {
      await wait(next());
      status = await raise();
    }
    return status < 300 ? answered : "refused";
  }
  return {
    ask,
    /** The answer to a question has arrived as a message. */
    told: ({ actionRequestID = "", responseCode = "" }: TerminalMessage) =>
      answers.get(actionRequestID)?.(responseCode),
  };
}

interface Surroundings {
  readonly memory: TerminalMemory;
  readonly customer: Customer;
  readonly terminal: AtTerminal;
  readonly enter: Enter;
  readonly sendReport: (report: TerminalReport, message: TerminalMessage) => void;
  readonly told: (message: TerminalMessage) => void;
}

/** Obeys each message once, and answers a repeat with the first result. */
function obedient({ memory, customer, terminal, enter, sendReport, told }: Surroundings) {
  const { reports, sessions, refused } = memory;
  const { answer, pause } = terminal;

  async function pay(message: TerminalMessage): Promise<void> {
    const got = performance.now();
    const key = keyOf(message.sessionID ?? "");
    const session = newSession(message, customer.scriptFor(message));
    const { script } = session;
    if (!script.silent) await pause(script.acceptAfter ?? 1);
    // A session begins once, whichever message requests it. A partner requests a payment again if a restore lost the first request.
    const begun = sessions.get(key);
    if (begun) return answer(message, ...(begun.ending ?? ["accepted"]));
    if (script.silent) {
      session.ending = [script.outcome];
      sessions.set(key, session);
      return;
    }
    const isTooLate = refused.has(key) || performance.now() - got >= message.expiresInMs;
    if (isTooLate) {
      refused.add(key);
      return answer(message, "notStarted");
    }
    sessions.set(key, session);
    answer(message, "accepted");
    return customer.pay(session, terminal);
  }

  async function obey(message: TerminalMessage): Promise<void> {
    const before = reports.get(message.messageID);
    if (before) return before.forEach((report) => sendReport(report, message));
    reports.set(message.messageID, []);
    if (message.type === "payment") return pay(message);
    if (message.type === "actionAnswer") told(message);
    await pause(1);
    const key = keyOf(message.sessionID ?? "");
    const report = answerTo(message, sessions.get(key), enter);
    if (message.type === "cancel" || report[0] === "notStarted") refused.add(key);
    answer(message, ...report);
  }

  return obey;
}

interface Listening {
  readonly between: Backoff;
  readonly signal: AbortSignal;
  readonly obey: (message: TerminalMessage) => Promise<void>;
  readonly battery: PlayedDevice["battery"];
}

/** Polls until the power is cut. Each poll names the message that arrived last, and the charge of the battery. */
async function listen(client: TerminalClient, { between, signal, obey, battery }: Listening): Promise<void> {
  let received: string | undefined;
  while (!signal.aborted) {
    try {
      const message = await client.next(LONGEST_WAIT_SECONDS, { received, battery: battery?.(), signal });
      between.reset();
      if (!message || signal.aborted) continue;
      received = message.messageID;
      void obey(message);
    } catch {
      await sleep(between.next(), undefined, { signal }).catch(() => {}); // the platform is briefly unavailable: a terminal keeps polling
    }
  }
}
