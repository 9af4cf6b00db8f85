import type { LaneItem } from "../../live/views/lanes.ts";
import type { PaymentView } from "../../live/views/payments.ts";

// Swim lanes like those of real payments. Some last thirty milliseconds with seconds between, one has webhooks that failed for minutes, one
// still runs.

type Step = readonly [
  lane: LaneItem["lane"],
  from: number,
  ms: number | undefined,
  title: string,
  more?: Partial<LaneItem>,
];

const requested: readonly Step[] = [
  ["partner", 0, 48, "POST /pos-payment-request", { id: "call", detail: "202" }],
  ["gateway", 3, 42, "pos-payment-request", { id: "gateway", cause: "call", detail: "202" }],
  ["function", 8, 31, "pos-payment-request", { id: "request", cause: "gateway" }],
  ["queue", 16, 20, "terminal-messages", { id: "announced", cause: "request", detail: "message" }],
  ["worker", 36, 8, "terminal-messages", { id: "released", cause: "announced", detail: "message: done" }],
  ["terminal", 62, 0, "payment", { id: "handed", cause: "request" }],
  ["terminal", 210, 0, "accepted", { id: "accepted" }],
  ["gateway", 211, 30, "report", { id: "g2", cause: "accepted" }],
  ["function", 214, 22, "report", { id: "report", cause: "g2" }],
  ["queue", 225, 9, "webhook-deliveries", { id: "q2", cause: "report" }],
  ["worker", 234, 30, "webhook-deliveries", { id: "w2", cause: "q2", detail: "webhook: done" }],
  ["webhook", 240, 18, "payment.inProgress", { id: "h2", cause: "w2", detail: "200" }],
];

const approved: readonly Step[] = [
  ["terminal", 3_250, 0, "authorized", { id: "approved" }],
  ["gateway", 3_251, 33, "report", { id: "g3", cause: "approved" }],
  ["function", 3_254, 25, "report", { id: "report3", cause: "g3" }],
  ["queue", 3_270, 9, "webhook-deliveries", { id: "q3", cause: "report3" }],
  ["worker", 3_279, 36, "webhook-deliveries", { id: "w3", cause: "q3", detail: "webhook: done" }],
];

const delivered: readonly Step[] = [
  ["webhook", 3_285, 21, "payment.captured", { id: "h3", cause: "w3", detail: "200" }],
];

const FAILED_AT = [3_285, 8_310, 38_420, 158_700, 758_900];
const failing: readonly Step[] = FAILED_AT.flatMap((at, i): readonly Step[] => {
  const hasFailed = i < FAILED_AT.length - 1;
  const worker: readonly Step[] = [
    [
      "queue",
      FAILED_AT[i - 1] ?? at,
      at - (FAILED_AT[i - 1] ?? at) - 8,
      "webhook-retries",
      { id: `qr${i}`, cause: `r${i - 1}` },
    ],
    ["worker", at - 8, 30, "webhook-retries", { id: `wr${i}`, cause: `qr${i}`, detail: "webhook: scheduled" }],
  ];
  return [
    ...(i === 0 ? [] : worker),
    [
      "webhook",
      at,
      12,
      "payment.captured",
      { id: `r${i}`, cause: i === 0 ? "w3" : `wr${i}`, detail: hasFailed ? "500" : "200", hasFailed },
    ],
  ];
});

const declined: readonly Step[] = [
  ["terminal", 5_120, 0, "declined", { id: "declined", hasFailed: true, detail: "declinedByIssuer" }],
  ["gateway", 5_121, 29, "report", { id: "g4", cause: "declined" }],
  ["function", 5_124, 22, "report", { id: "report4", cause: "g4" }],
];

const waiting: readonly Step[] = [
  ["queue", 20, undefined, "deadlines", { id: "deadline", cause: "request", detail: "look", isTimer: true }],
];

const silent: readonly Step[] = [
  ...waiting,
  ["worker", 120_030, 24, "deadlines", { id: "expiry", detail: "look: scheduled" }],
  ["terminal", 120_090, 0, "cancel", { id: "asked", cause: "expiry" }],
  ["worker", 180_110, 22, "deadlines", { id: "answer", detail: "look: implied", hasFailed: true }],
];

const after: Readonly<Record<string, readonly Step[]>> = {
  captured: [...approved, ...delivered],
  authorized: [...approved, ...delivered],
  declined,
  inProgress: waiting,
  reconciling: silent,
};

/** The events of a sample payment, from its beginning on. */
export function sampleLanes({ createdAt, status, refunded }: PaymentView): readonly LaneItem[] {
  const steps = [...requested, ...(refunded > 0 ? [...approved, ...failing] : (after[status] ?? []))];
  return steps.map(([lane, from, ms, title, more], i) => ({
    id: `step-${i}`,
    lane,
    from: createdAt + from,
    to: ms === undefined ? undefined : createdAt + from + ms,
    title,
    hasFailed: false,
    ...more,
  }));
}
