import { queueOf } from "../../../shared/ports/queues.ts";
import type { ReadCall } from "./calls.ts";
import type { Lane, LaneItem } from "./views/lanes.ts";

/** A span of the app's traces. Times are milliseconds since 1970. */
export interface LaneSpan {
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

/** The data about the course of one payment. */
export interface LaneSources {
  /** The spans of the payment's traces, in any order. A span may occur twice. */
  readonly spans: readonly LaneSpan[];
  /** The calls of its session. */
  readonly calls: readonly LaneCall[];
  /** The types of its events, by `webhook-id`. */
  readonly eventTypes: ReadonlyMap<string, string>;
}

export type LaneCall = Pick<
  ReadCall,
  "id" | "at" | "ms" | "api" | "operation" | "method" | "status" | "problem" | "requestId" | "reportType" | "messageId"
>;

/**
 * The items of a picture. If there are too many, `left` items in the middle are left out, so that a payment that was retried for days can
 * still be drawn.
 */
export interface Lanes {
  readonly items: readonly LaneItem[];
  readonly left: number;
}

const MOST_ITEMS = 300;

/**
 * The course of one payment through the platform, in time order, from its traces and its calls through the gateway. Each item names the
 * item that caused it, if it is known. Pure.
 */
export function lanesOf({ spans, calls, eventTypes }: LaneSources): Lanes {
  const bySpan = new Map(spans.map((span) => [span.spanId, span]));
  const [distinct, all] = [[...bySpan.values()], new Map<string, LaneItem>()];
  const drawing: Drawing = { bySpan, calls, eventTypes, starts: startsOf(distinct), handedOut: handedOutOf(distinct) };
  for (const item of [
    ...calls.flatMap((call) => itemsOfCall(call, drawing)),
    ...distinct.flatMap((span) => itemOfSpan(span, drawing) ?? []),
  ])
    all.set(item.id, item);
  const { items, left } = cut([...all.values()].toSorted(byTime));
  const shown = new Set(items.map(({ id }) => id));
  return { items: items.map((item) => withShownCause(item, shown)), left };
}

interface Drawing {
  readonly bySpan: ReadonlyMap<string, LaneSpan>;
  readonly calls: readonly LaneCall[];
  readonly eventTypes: ReadonlyMap<string, string>;
  /** The start of the first worker that processed a message, by the span that sent the message. */
  readonly starts: ReadonlyMap<string, number>;
  /** The spans of the messages that a terminal has fetched, by the message's identifier. */
  readonly handedOut: ReadonlyMap<string, string>;
}

const QUEUE = /^(send|process) (.+)$/;
const HANDED_OUT = "next-message";

function startsOf(spans: readonly LaneSpan[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { name, parentSpanId, from } of spans)
    if (name.startsWith("process ")) starts.set(parentSpanId, Math.min(from, starts.get(parentSpanId) ?? Infinity));
  return starts;
}

const handedOutOf = (spans: readonly LaneSpan[]): ReadonlyMap<string, string> =>
  new Map(
    spans
      .filter(({ name }) => name === HANDED_OUT)
      .map(({ attributes, spanId }) => [textOf(attributes["payment.command_id"]) ?? "", spanId]),
  );

/** A call of a partner or terminal, and its way through the gateway. A terminal's poll is drawn only if it gets a message. */
function itemsOfCall(call: LaneCall, { handedOut }: Drawing): LaneItem[] {
  const { id, at, ms, api, operation, method, status, problem, reportType, messageId } = call;
  if (operation === HANDED_OUT) return [];
  const isTerminals = api === "terminals";
  const answered = messageId === undefined ? undefined : handedOut.get(messageId);
  const caller: LaneItem = {
    id: `caller ${id}`,
    lane: isTerminals ? "terminal" : "partner",
    from: at,
    to: isTerminals ? at : at + ms,
    title: isTerminals ? (reportType ?? operation) : `${method} ${operation}`,
    detail: answerText(status, problem),
    hasFailed: status >= 400,
    ...(answered !== undefined && { cause: answered }),
  };
  const { title: _, ...passed } = caller;
  return [caller, { ...passed, id: gatewayItem(id), lane: "gateway", to: at + ms, title: operation, cause: caller.id }];
}

const gatewayItem = (callId: string): string => `gateway ${callId}`;

const answerText = (status: number | string, problem: string | undefined): string =>
  problem === undefined ? String(status) : `${status} ${problem}`;

function itemOfSpan(span: LaneSpan, drawing: Drawing): LaneItem | undefined {
  const drawn = laneOfSpan(span, drawing);
  if (!drawn) return undefined;
  const { spanId: id, from, to, failed: hasFailed } = span;
  return { id, from, to, hasFailed, ...causeOf(span, drawing), ...drawn };
}

type Drawn = Pick<LaneItem, "lane" | "title"> & Partial<LaneItem>;

/** Undefined for a call to the tables or to the mail server. The bar of its caller includes it. */
function laneOfSpan(span: LaneSpan, drawing: Drawing): Drawn | undefined {
  const [, operation, queue] = QUEUE.exec(span.name) ?? [];
  if (queue !== undefined) return operation === "send" ? ofSend(span, queue, drawing.starts) : ofWorker(span, queue);
  if (span.name === "webhook attempt") return ofWebhook(span, drawing.eventTypes);
  if (span.name === HANDED_OUT)
    return { lane: "terminal", from: span.to, title: textOf(span.attributes["payment.message"]) ?? "message" };
  return ofFunction(span);
}

function ofFunction({ name, attributes }: LaneSpan): Drawn | undefined {
  const status = wordOf(attributes["http.response.status_code"]);
  if (status === undefined) return undefined;
  return { lane: "function", title: name, detail: answerText(status, textOf(attributes["payment.problem"])) };
}

function ofWorker({ attributes }: LaneSpan, queue: string): Drawn {
  const words = [attributes["payment.effect"], attributes["payment.outcome"]].flatMap((word) => textOf(word) ?? []);
  const isTimer = queue === queueOf.deadline && attributes["payment.outcome"] === "pointless";
  return { lane: "worker", title: queue, ...(words.length > 0 && { detail: words.join(": ") }), isTimer };
}

function ofWebhook({ attributes }: LaneSpan, eventTypes: ReadonlyMap<string, string>): Drawn {
  const type = eventTypes.get(textOf(attributes["payment.event_id"]) ?? "");
  const status = wordOf(attributes["http.response.status_code"] ?? attributes["error.type"]);
  return { lane: "webhook", title: type ?? "webhook", ...(status !== undefined && { detail: status }) };
}

/** A message is in its queue from the time when it was sent until a worker starts to process it. */
function ofSend(span: LaneSpan, queue: string, starts: ReadonlyMap<string, number>): Drawn {
  const { spanId, to: sent, attributes } = span;
  const due = textOf(attributes["payment.due_at"]);
  const words = [textOf(attributes["payment.effect"]), due === undefined ? undefined : `due at ${due}`];
  const from = sent;
  const begun = starts.get(spanId);
  return {
    lane: "queue",
    title: queue,
    detail: words.filter((word) => word !== undefined).join(", "),
    from,
    to: begun === undefined ? undefined : Math.max(begun, from),
    isTimer: queue === queueOf.deadline,
  };
}

/** There are few spans between two items. The spans of a faulty sender may form a circle. */
const MOST_STEPS = 20;

/** The item of the nearest ancestor span, or the call that the function answered. */
function causeOf(span: LaneSpan, drawing: Drawing): Pick<LaneItem, "cause"> {
  const requestId = textOf(span.attributes["payment.request_id"]);
  const call = drawing.calls.find((call) => requestId !== undefined && call.requestId === requestId);
  if (call && !QUEUE.test(span.name)) return { cause: gatewayItem(call.id) };
  let above = drawing.bySpan.get(span.parentSpanId);
  for (let steps = 0; above && steps < MOST_STEPS; steps++) {
    if (laneOfSpan(above, drawing)) return { cause: above.spanId };
    above = drawing.bySpan.get(above.parentSpanId);
  }
  return {};
}

/** Removes a cause that is not drawn. */
function withShownCause(item: LaneItem, shown: ReadonlySet<string>): LaneItem {
  const { cause, ...rest } = item;
  return cause === undefined || (shown.has(cause) && cause !== item.id) ? item : rest;
}

const order: readonly Lane[] = ["partner", "terminal", "gateway", "function", "queue", "worker", "webhook"];

/** If items begin at the same time, the cause comes first. */
const byTime = (one: LaneItem, other: LaneItem): number =>
  one.from - other.from || order.indexOf(one.lane) - order.indexOf(other.lane);

function cut(items: readonly LaneItem[]): Lanes {
  const left = items.length - MOST_ITEMS;
  if (left <= 0) return { items, left: 0 };
  const half = MOST_ITEMS / 2;
  return { items: [...items.slice(0, half), ...items.slice(-half)], left };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const wordOf = (value: unknown): string | undefined => (typeof value === "number" ? String(value) : textOf(value));
