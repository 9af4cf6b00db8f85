import type { HttpRequest } from "@azure/functions";
import * as z from "zod";
import { readBody } from "../../../shared/edge/http/read-body.ts";
import { newActionRequests } from "./action-requests.ts";
import { newBell, type Bell } from "./bell.ts";
import { newDayClosings } from "./day-closings.ts";
import type { Call, Exchange, Operation } from "./exchange.ts";
import { newInbox, type Filed, type Inbox, type NewMessage } from "./inbox.ts";
import { isLine, noReply, refusalOf, replyOf, requestOf, type Reply } from "./reply.ts";
import { membersOf, draftOf, type Draft, type ReceivedReport } from "./received-report.ts";
import { newPolls } from "./polls.ts";
import { newPowerUps } from "./power-ups.ts";
import { newTakenReports, type Outcome } from "./taken-reports.ts";
import { newTroubles } from "./troubles.ts";

export interface PlatformOptions {
  readonly terminalKey: string;
  readonly pointOfServiceID: string;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * The platform as one terminal sees it: the deployed platform's schemas, inbox rules and rejections, without tables and queues. It takes
 * every valid report of a known session, and does not judge it.
 */
export function newPlatform(options: PlatformOptions) {
  const { newId } = options;
  const now = () => new Date(options.clock()).toISOString();
  const inbox = newInbox(now);
  const troubles = newTroubles();
  const exchanges: Exchange[] = [];
  const reports: ReceivedReport[] = [];
  const sessions = new Set<string>();
  const raised = newActionRequests(options.pointOfServiceID, now);
  const closings = newDayClosings();
  const changed = newBell();
  const messages = newMessages({ inbox, sessions, changed });
  const { poll, hangUp } = newPolls(inbox, changed);
  const { noteEarly, started, ...power } = newPowerUps(changed);
  const { record } = newTakenReports({ inbox, filed: messages.filed, sessions, started });

  async function outcomeOf(operation: Operation, request: HttpRequest, gone: AbortSignal): Promise<Outcome> {
    if (operation === "next-message") return { response: await poll(request, gone) };
    const sent = await readBody(request, { schema: z.unknown() });
    if (!sent.ok) return { response: { problem: sent.error } };
    if (operation === "report") return record(sent.value);
    if (operation === "day-totals") return { response: closings.take(sent.value) };
    return { response: raised.raise(sent.value, (sessionId) => sessions.has(sessionId)) };
  }

  function keep(exchange: Exchange, outcome: Draft | undefined): void {
    exchanges.push(exchange);
    const draft = outcome ?? draftOf(membersOf(exchange.sent));
    if (exchange.operation === "report")
      reports.push({ ...draft, index: exchanges.length - 1, powerUp: exchange.powerUp });
    changed.ring();
  }

  /** Responds to a request. Undefined if the connection must be cut. */
  async function respond(operation: Operation, call: Call): Promise<Reply | undefined> {
    const { method, target, headers, body, gone } = call;
    const url = new URL(target, "http://terminals");
    const sent = jsonIn(body);
    const powerUp = power.powerUps();
    const { type } = membersOf(sent);
    await noteEarly(operation, type, gone);
    const trouble = troubles.meet(operation, type);
    const isStopped = trouble !== undefined && trouble !== "lost";
    const refused = refusalOf(trouble, headers["x-terminal-key"] === options.terminalKey);
    const outcome = refused
      ? { response: { problem: refused } }
      : await (isStopped ? nothing : outcomeOf(operation, requestOf(call, url), gone));
    const reply = replyOf(outcome.response, { newId, path: url.pathname, accept: headers["accept"] });
    const isCut = isLine(trouble) || gone.aborted;
    const isTaken = !isStopped && !refused && reply.status < 400;
    const what = { at: performance.now(), powerUp, operation, target: `${url.pathname}${url.search}`, method, sent };
    keep({ ...what, ...(isCut ? noReply : reply), isTaken }, outcome.report);
    return isCut ? undefined : reply;
  }

  return {
    respond,
    inbox,
    ...messages,
    troubles,
    exchanges: exchanges as readonly Exchange[],
    reports: reports as readonly ReceivedReport[],
    /** The action requests that were raised, in order. */
    raised: raised.all,
    hangUp,
    ...power,
    changed,
    now,
    newId,
  };
}
export type Platform = ReturnType<typeof newPlatform>;

/** The parts of a platform that its messages are filed in. */
interface Files {
  readonly inbox: Inbox;
  readonly sessions: Set<string>;
  readonly changed: Bell;
}

/** The messages for the terminal. */
function newMessages({ inbox, sessions, changed }: Files) {
  let filed: readonly Filed[] = [];
  return {
    /** Every message that was filed and not withdrawn, in order. */
    filed: () => filed,
    /** Files a message of a payment or an action request, and wakes the poll. */
    file(message: NewMessage): Filed {
      sessions.add(message.about);
      const one = inbox.file(message);
      filed = [...filed, one];
      changed.ring();
      return one;
    },
    /** Withdraws a message that the terminal has not fetched. Returns whether it did. Otherwise the terminal may carry it out. */
    withdraw(message: Filed): boolean {
      const isWithdrawn = inbox.withdraw(message);
      if (isWithdrawn) filed = filed.filter(({ messageId }) => messageId !== message.messageId);
      return isWithdrawn;
    },
    fileAgain(message: Filed): void {
      inbox.fileAgain(message);
      changed.ring();
    },
  };
}

/** The outcome of a request that is lost. */
const nothing: Promise<Outcome> = Promise.resolve({ response: { status: 204 } });

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined; // a poll, or a body that the reader rejects
  }
}
