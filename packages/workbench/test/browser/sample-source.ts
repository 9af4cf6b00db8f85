import { alertKinds } from "../../../../shared/domain/alert-kinds.ts";
import { changeText } from "../../../../infra/operator/common/reasons.ts";
import type { LiveSource } from "../../live/source.ts";
import { scriptList } from "../../../terminal/simulated/scripts.ts";
import type { HistoryEntry } from "../../../../shared/domain/payment/record/history-entry.ts";
import { tableNames } from "../../../../shared/stores/table-names.ts";
import type { AlertView } from "../../live/views/alerts.ts";
import type { PaymentDetail, PaymentView, WaitView } from "../../live/views/payments.ts";
import type { RegisteredView } from "../../live/views/registered.ts";
import type { OutcomeView, PreviewView } from "../../live/views/resolve.ts";
import type { Snapshot } from "../../live/views/snapshot.ts";
import type { TerminalView } from "../../live/views/terminals.ts";
import { sampleCalls } from "./sample-calls.ts";
import { sampleLanes } from "./sample-lanes.ts";
import { sampleMails } from "./sample-mails.ts";
import { sampleSecret, sampleWebhook } from "./sample-webhooks.ts";

// A day at the demo's counter, written by hand: the data of the views if no stack runs. Texts that a caller could send are taken from
// `say`, so that a test can put any text in each such place.

const START = Date.UTC(2026, 10, 21, 9, 30);
const id = (n: number) => `${String(n).padStart(8, "0")}-5a5a-4000-8000-000000000000`;
const states = ["captured", "inProgress", "declined", "reconciling", "authorized", "voided", "pending", "cancelled"];

/** The change that led to a state. */
const whatLedTo: Readonly<Record<string, Pick<HistoryEntry, "by" | "event">>> = {
  captured: { by: "terminal", event: "authorized" },
  authorized: { by: "terminal", event: "authorized" },
  voided: { by: "terminal", event: "voided" },
  declined: { by: "terminal", event: "declined" },
  cancelled: { by: "terminal", event: "cancelled" },
  reconciling: { by: "platform", event: "outcomeOverdue" },
};

function ledTo({ status, amount, currency }: PaymentView): string {
  const change = whatLedTo[status] ?? { by: "terminal", event: "failed" };
  return changeText({ ...change, ...(change.event === "authorized" && { said: { amount, currency } }) }, currency);
}

function moneyOf(status: string, held: number): Pick<PaymentView, "money"> {
  if (held > 0) return { money: `The merchant has ${(held / 100).toFixed(2)} SEK of it.` };
  if (status === "reconciling") return { money: "It is not known how much the merchant has from this payment." };
  return ["declined", "voided", "cancelled"].includes(status)
    ? { money: "The merchant has no money from this payment." }
    : {};
}

export interface SampleOptions {
  readonly payments?: number;
  /** The content of every text of a caller. */
  readonly say?: (where: string) => string;
}

export function sampleSource({ payments: count = 24, say = (where) => where }: SampleOptions = {}): LiveSource & {
  readonly done: unknown[];
} {
  const done: unknown[] = [];
  const terminals: TerminalView[] = [
    {
      id: id(1),
      name: say("Counter"),
      player: "person",
      power: "on",
      display: {
        mode: "payment",
        prompt: "Present card",
        sessionId: id(100),
        merchantName: say("Demo Kiosk"),
        amount: 12_050,
        vat: 2_410,
        discount: 500,
        currency: "SEK",
        expiresAt: START + 90_000,
        tip: { percents: [5, 10, 15], amounts: [2_000], custom: true, maximum: 3_615, chosen: 1_205 },
      },
      unsent: 0,
      day: {
        businessDay: "2026-11-21",
        totals: [
          {
            currency: "SEK",
            captures: 4,
            captured: 46_400,
            refunds: 1,
            refunded: 2_000,
            reversals: 0,
            reversed: 0,
          },
        ],
      },
      journal: [
        { at: START + 210, direction: "out", type: "accepted", sessionId: id(100), status: 200 },
        { at: START + 120, direction: "in", type: "payment", sessionId: id(100) },
      ],
    },
    {
      id: id(2),
      name: "Autopilot",
      player: "autopilot",
      power: "on",
      display: { mode: "idle", prompt: "Welcome" },
      unsent: 0,
      day: { businessDay: "2026-11-21", totals: [] },
      journal: [],
    },
    {
      id: id(3),
      name: "Silent",
      player: "none",
      power: "on",
      display: { mode: "off", prompt: "" },
      unsent: 0,
      journal: [],
    },
  ];
  const merchant = { merchantId: id(10), merchantName: say("Demo Kiosks") };
  const made = "Example Terminals";
  const registered: RegisteredView[] = [
    {
      terminalId: id(1),
      terminalName: say("Counter"),
      ...merchant,
      facts: [`${made} Counter 1`, say("serial number SIM-1"), "software 1.0.0", "Ethernet"],
    },
    {
      terminalId: id(2),
      terminalName: "Autopilot",
      ...merchant,
      facts: [`${made} Pocket 1`, "serial number SIM-2", "software 1.0.0", "Wi-Fi", "battery 87%"],
    },
    { terminalId: id(3), terminalName: "Silent", merchantId: id(14), facts: [] },
  ];
  const payments: PaymentView[] = Array.from({ length: count }, (_, i) => {
    const status = i === 0 ? "inProgress" : (states[i % states.length] ?? "captured"); // what the terminal "Counter" shows
    const amount = i === 0 ? 12_050 : 12_550 - (i % 7) * 950;
    const captured = status === "captured" ? amount : 0;
    const refunded = i % 16 === 8 ? 2_000 : 0;
    const isElsewhere = ["inProgress", "pending", "reconciling"].includes(status) && i !== 0 && i !== 3; // one payment holds a terminal
    const terminalId = isElsewhere ? id(4) : id(1 + (i % 2));
    return {
      id: `${id(9)}/${terminalId}/${id(100 + i)}`,
      partnerId: id(9),
      sessionId: id(100 + i),
      terminalId,
      terminalName: isElsewhere ? "Elsewhere" : i % 2 ? "Autopilot" : "Counter",
      merchantId: id(10),
      merchantName: say("Demo Kiosk"),
      status,
      ...(status === "declined" && { reason: "The terminal reported this outcome." }),
      amount,
      captured,
      tip: 0,
      refunded,
      held: captured - refunded,
      isInDoubt: status === "reconciling",
      ...moneyOf(status, captured - refunded),
      currency: "SEK",
      orderId: say(`order-${1_000 + i}`),
      createdAt: START - i * 41_000,
      updatedAt: START - i * 41_000 + 1_900,
      alerts: i === 3 ? 1 : 0,
      sequence: 4,
    };
  });
  const outcomes: readonly OutcomeView[] = [
    { said: { of: "payment", outcome: "paid" }, text: "The payment is paid." },
    { said: { of: "payment", outcome: "unpaid" }, text: "The payment is not paid." },
  ];
  const preview: PreviewView = {
    sequence: 4,
    sentences: ["The payment goes from reconciling to failed.", say("The partner gets payment.failed.")],
  };
  const alert: AlertView = {
    id: "alert-1",
    kind: "outcomeUnknown",
    about: id(103),
    sessionId: id(103),
    partnerId: id(9),
    place: { terminalId: id(2), terminalName: "Autopilot", ...merchant },
    count: 1,
    firstAt: START - 60_000,
    lastAt: START - 60_000,
    detail: say("The terminal reported that it did not start the payment."),
    means: alertKinds.outcomeUnknown.means,
    toDo: "Find the outcome in the acquirer's records, then record it.",
    standing: "The payment is reconciling. It is not known how much the merchant has from this payment.",
    isOver: false,
    outcomes,
  };
  /** The terminal of one captured payment is off, and a refund waits for it. */
  const waitsOf = ({ sessionId }: PaymentView): readonly WaitView[] =>
    sessionId === id(116) ? [{ refundId: id(601), amount: 1_500, until: START + 600_000, isFetched: false }] : [];
  const detailOf = (view: PaymentView): PaymentDetail => ({
    ...view,
    captureMode: "automatic",
    changes: [
      {
        sequence: 1,
        at: view.createdAt,
        what: changeText({ by: "partner", event: "request", amount: view.amount + 500 }, "SEK"),
        to: "pending",
      },
      {
        sequence: 2,
        at: view.createdAt + 210,
        what: changeText({ by: "terminal", event: "accepted" }, "SEK"),
        from: "pending",
        to: "inProgress",
      },
      ...(["pending", "inProgress"].includes(view.status)
        ? []
        : [
            {
              sequence: 3,
              at: view.createdAt + 3_250,
              what: ledTo(view),
              from: "inProgress",
              to: view.status,
              ...(view.reason !== undefined && { reason: view.reason }),
              detail: say("ok"),
            },
          ]),
    ],
    charges: ["captured", "authorized", "voided"].includes(view.status)
      ? [
          {
            chargeId: id(500),
            amount: view.amount,
            currency: "SEK",
            status: view.status,
            lines: ["visa ···· 4242, A1B2C3, RRN 632610304512"],
          },
        ]
      : [],
    refunds: [
      ...(view.refunded > 0
        ? [{ refundId: id(600), amount: view.refunded, status: "succeeded", lines: ["RRN 632610304514"] }]
        : []),
      ...waitsOf(view).map(({ amount }) => ({ refundId: id(601), amount, status: "pending", lines: [] })),
    ],
    waits: waitsOf(view),
    discounts: [{ discountId: id(700), amount: 500, status: "applied" }],
    openAlerts: view.alerts > 0 ? [alert] : [],
    outcomes,
    lanes: sampleLanes(view),
    story: [`Payment ${view.sessionId} of partner ${view.partnerId}`, say(`It is ${view.status}.`)],
  });
  const webhooks = Array.from({ length: 9 }, (_, i) => {
    const isRetried = i === 2 || i === 8; // one event with its newest attempt and its first
    return sampleWebhook({
      id: `hook-${i}`,
      at: START - i * 9_000,
      eventId: `msg_${id(800 + (i === 8 ? 2 : i))}`,
      type: i % 2 ? "payment.inProgress" : "payment.captured",
      sessionId: id(100 + (i === 8 ? 2 : i)),
      attempt: i === 2 ? 2 : 1,
      answer: i === 3 ? undefined : isRetried ? 500 : i === 7 ? 410 : 200,
      ...(i === 7 && { isGivenUp: true }),
      ...(i === 2 && { nextAt: START + 25_000 }),
      text: say("text"),
      isForged: i === 5,
    });
  });
  const mails = sampleMails({ at: START, count: count === 0 ? 0 : 5, say });
  const calls = sampleCalls({ at: START, count: count === 0 ? 0 : 40, id, say });
  const snapshot: Snapshot = {
    stack: {
      baseUrl: "http://127.0.0.1:7080",
      terminalsUrl: "http://127.0.0.1:7080/terminals",
      referenceUrl: "http://127.0.0.1:7090/",
      landingPageUrl: "http://127.0.0.1:7093/",
      webhookUrl: "http://127.0.0.1:7092/webhook",
      partnerID: id(9),
      merchantID: id(10),
      webhookSecret: sampleSecret,
      productID: id(13),
      templateAccessTokenID: id(11),
      keyTemplateAccessTokenID: id(12),
      version: "0.1.0",
      scripts: scriptList(),
      tables: Object.values(tableNames),
      queueNames: ["terminal-messages", "webhook-deliveries", "webhook-retries", "deadlines", "mails"],
    },
    terminals,
    registered,
    payments,
    webhooks,
    mails: mails.details,
    calls,
    days: [
      {
        terminalId: id(1),
        businessDay: "2026-11-21",
        status: "comparing",
        graceEndsAt: START + 15_000,
        differences: [`charge: terminal 4 of 464.00 SEK, books 5 of 580.00 SEK; the books have more (${id(500)})`],
      },
    ],
    alerts: [alert],
    queues: ["terminal-messages", "webhook-deliveries", "webhook-retries", "deadlines", "mails"].map((name, i) => ({
      name,
      active: i,
      locked: 0,
      scheduled: i === 3 ? 41 : 0,
      deadLettered: i === 1 ? 1 : 0,
    })),
    faults: [{ id: "tables", target: "all tables", kind: "away", until: START + 10_000 }],
    receiver: { answer: "200" },
  };
  return {
    done,
    snapshot: () => snapshot,
    subscribe: () => () => {},
    payment: async (wanted) => payments.filter(({ id }) => id === wanted).map(detailOf)[0],
    mail: (wanted) => mails.details.find(({ id }) => id === wanted),
    mailHtml: mails.html,
    call: (wanted) => calls.find(({ id }) => id === wanted),
    atTerminal: async (...deed) => void done.push(deed),
    request: async (...request) => void done.push(request),
    preview: async () => preview,
    resolve: async (...input) => void done.push(input),
    closeAlert: async (...alert) => void done.push(alert),
    replayDeadLetters: async (queue) => void done.push(queue),
    setReceiver: (receiver) => void done.push(receiver),
    resend: async (webhook) => void done.push(webhook),
    setFault: async (fault) => void done.push(fault),
    clearFaults: async (fault) => void done.push(["clear", fault]),
  };
}
