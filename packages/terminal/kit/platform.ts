import { setTimeout as sleep } from "node:timers/promises";
import type { HttpRequest } from "@azure/functions";
import * as z from "zod";
import { identifier } from "../../../shared/contracts/identifier.ts";
import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import { acknowledgedBy, answeredBy } from "../../../shared/domain/payment/reports/answered.ts";
import { readBody } from "../../../shared/edge/http/read-body.ts";
import { parametersReader } from "../../../shared/edge/http/read-parameters.ts";
import { fieldProblems } from "../../../shared/edge/http/field-problems.ts";
import type { EndpointResponse } from "../../../shared/edge/http/response.ts";
import { newActionRequests } from "./action-requests.ts";
import { newBell } from "./bell.ts";
import { newDayClosings } from "./day-closings.ts";
import type { Call, Exchange, Operation } from "./exchange.ts";
import { newInbox, type Filed } from "./inbox.ts";
import { isLine, noReply, refusalOf, replyOf, requestOf, type Reply } from "./reply.ts";
import { membersOf, draftOf, type Draft, type ReceivedReport } from "./received-report.ts";
import { newTroubles } from "./troubles.ts";

/** The result of a request. The caller then sends it or drops it. */
interface Outcome {
  readonly response: EndpointResponse;
  readonly report?: Draft | undefined;
}

/** A call that came before the platform took the report of this power-up's start. */
interface EarlyCall {
  /** When it arrived, in milliseconds of a monotonic clock. */
  readonly at: number;
  readonly powerUp: number;
  readonly call: string;
}

const pollQuery = z.object({ wait: z.coerce.number().min(0).max(55).optional(), received: identifier.optional() });
const readPoll = parametersReader({ query: pollQuery }, false);

/** How often a waiting poll looks for a message whose lease has ended. */
const LOOK_MS = 1_000;

/** After a power cut, the longest time until the closing of a connection arrives. */
const CLOSING_MS = 100;

/**
 * The platform as one terminal sees it: the deployed platform's schemas, inbox rules and rejections, without tables and queues. It takes
 * every valid report of a known session, and does not judge it.
 */
export function newPlatform(options: {
  readonly terminalKey: string;
  readonly pointOfServiceID: string;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}) {
  const { newId } = options;
  const now = () => new Date(options.clock()).toISOString();
  const inbox = newInbox(now);
  const troubles = newTroubles();
  const exchanges: Exchange[] = [];
  const reports: ReceivedReport[] = [];
  const taken = new Map<string, string | undefined>();
  const sessions = new Set<string>();
  const filed: Filed[] = [];
  const raised = newActionRequests(options.pointOfServiceID, now);
  const closings = newDayClosings();
  const changed = newBell();
  let newestPoll = new AbortController();
  let sequence = 1_000; // higher than every message's: a report answers messages that were filed before it
  let powerUps = 0;
  let startedIn = -1;
  const unannounced: EarlyCall[] = [];

  async function poll(request: HttpRequest, gone: AbortSignal): Promise<EndpointResponse> {
    const read = readPoll(request);
    if (!read.ok) return { problem: read.error };
    const { wait = 0, received } = pollQuery.parse(read.value);
    newestPoll.abort();
    newestPoll = new AbortController();
    const ended = AbortSignal.any([gone, newestPoll.signal]);
    const until = performance.now() + wait * 1_000;
    for (;;) {
      if (ended.aborted) return { status: 204 };
      const body = inbox.lease(received?.toLowerCase());
      if (body) return { status: 200, body };
      const left = until - performance.now();
      if (left <= 0) return { status: 204 };
      await changed.next(Math.min(left, LOOK_MS), ended);
    }
  }

  function record(sent: unknown): Outcome {
    const body = terminalReportBody.parse(sent);
    const members = membersOf(sent);
    if (body.of === "refused") {
      const errors = fieldProblems(body.readAs, body.issues, sent);
      return { response: { problem: { code: "validation_failed", errors } }, report: draftOf(members) };
    }
    const known = body.of !== "payment" || sessions.has(body.sessionId);
    if (!known) return { response: { problem: { code: "payment_not_found" } }, report: draftOf(members) };
    if (body.of === "start") startedIn = powerUps;
    const reportId = body.idAsReceived.toLowerCase();
    const isRepeat = taken.has(reportId);
    if (isRepeat) inbox.remove(filed.filter(({ messageId }) => messageId === taken.get(reportId)));
    else taken.set(reportId, conclude(body));
    const response = { status: 200, body: { reportID: body.idAsReceived, recorded: true } };
    return { response, report: { ...draftOf(members), answers: taken.get(reportId), isRepeat, isTaken: true } };
  }

  /** Removes the messages that the report answers from the inbox. Returns the answered message's identifier. */
  function conclude(body: z.infer<typeof terminalReportBody>): string | undefined {
    if (body.of === "answer") {
      const open = inbox.open(body.actionRequestId);
      inbox.remove(open);
      return open[0]?.messageId;
    }
    if (body.of !== "payment") return undefined;
    const { report, sessionId } = body;
    const open = inbox.open(sessionId);
    const named = filed.find(({ messageId }) => messageId === report.messageId);
    const toAnswered = ({ messageId, message: { type }, slot }: Filed) => ({
      messageId,
      type,
      sequence: slot.sequence,
    });
    const answered = answeredBy(report, named && toAnswered(named), open)?.messageId ?? report.messageId;
    const concluded = {
      sequence: ++sequence,
      messageId: answered,
      payment: { charges: [], status: "captureRequested" as const },
    };
    inbox.remove(acknowledgedBy(report, concluded, open));
    return answered;
  }

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

  /** A power cut closes the connection of a call in progress. Such a call does not belong to the next start. */
  async function noteEarly(operation: Operation, type: unknown, gone: AbortSignal): Promise<void> {
    if (startedIn === powerUps || type === "started") return;
    const call = operation === "report" ? `the report ${String(type)}` : operation;
    const early = { at: performance.now(), powerUp: powerUps, call };
    await sleep(CLOSING_MS, undefined, { signal: gone }).catch(() => undefined);
    if (gone.aborted) return;
    unannounced.push(early);
    changed.ring();
  }

  /** Responds to a request. Undefined if the connection must be cut. */
  async function respond(operation: Operation, call: Call): Promise<Reply | undefined> {
    const { method, target, headers, body, gone } = call;
    const url = new URL(target, "http://terminals");
    const sent = jsonIn(body);
    const powerUp = powerUps;
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
    /** Every message that was filed, in order. */
    filed: filed as readonly Filed[],
    troubles,
    exchanges: exchanges as readonly Exchange[],
    reports: reports as readonly ReceivedReport[],
    /** The action requests that were raised, in order. */
    raised: raised.all,
    /** Files a message of a payment or an action request, and wakes the poll. */
    file(message: Parameters<typeof inbox.file>[0]): Filed {
      sessions.add(message.about);
      const one = inbox.file(message);
      filed.push(one);
      changed.ring();
      return one;
    },
    fileAgain(message: Filed): void {
      inbox.fileAgain(message);
      changed.ring();
    },
    /** Ends the waiting poll with 204, and ends all leases, so that unanswered messages may be handed out again. */
    hangUp(): void {
      newestPoll.abort();
      inbox.endLeases();
    },
    /** The calls that came before the platform took the report of their power-up's start. */
    unannounced: unannounced as readonly EarlyCall[],
    /** Counts a power-up: later requests belong to it. */
    powerUp(): void {
      powerUps += 1;
    },
    powerUps: () => powerUps,
    changed,
    now,
    newId,
  };
}
export type Platform = ReturnType<typeof newPlatform>;

/** The outcome of a request that is lost. */
const nothing: Promise<Outcome> = Promise.resolve({ response: { status: 204 } });

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined; // a poll, or a body that the reader rejects
  }
}
