import { randomUUID } from "node:crypto";
import { keyOf } from "../../../simulated/answers.ts";
import type { TerminalMemory } from "../../../simulated/memory.ts";
import type {
  DayClosing,
  TerminalClient,
  TerminalMessage,
  TerminalReport,
} from "../../../simulated/terminal-client.ts";
import { isAnswered } from "../../../simulated/terminal-client.ts";
import type { Flaw } from "./powered.ts";

/** Changes an arriving message, or the memory before the message is obeyed. */
const arriving = (
  change: (message: TerminalMessage, memory: TerminalMemory) => TerminalMessage,
  ...types: readonly string[]
): Flaw => ({
  wrap: (client, memory) => ({
    ...client,
    async next(...given) {
      const message = await client.next(...given);
      return message && types.includes(message.type) ? change(message, memory()) : message;
    },
  }),
});

/** Changes how a report is sent. */
const reporting = (send: (report: TerminalReport, client: TerminalClient) => Promise<number>): Flaw => ({
  wrap: (client) => ({ ...client, report: (report) => send(report, client) }),
});

const sessionOf = ({ sessionID = "" }: TerminalMessage, { sessions }: TerminalMemory) => sessions.get(keyOf(sessionID));

/** A terminal that forgets its earlier actions when a message arrives. */
const forgetting = (forget: (message: TerminalMessage, memory: TerminalMemory) => void, ...types: readonly string[]) =>
  arriving(
    (message, memory) => {
      forget(message, memory);
      return message;
    },
    ...types,
  );

function underNewNames(): Flaw {
  const failed = new Set<string>();
  return reporting(async (report, client) => {
    const sent = failed.has(report.reportID) ? { ...report, reportID: randomUUID() } : report;
    const status = await client.report(sent).catch(() => 503);
    if (!isAnswered(status)) failed.add(report.reportID);
    return status;
  });
}

const withoutEvidence = reporting(({ card: _, acquirer: __, receipt: ___, ...report }, client) =>
  client.report(report),
);

/** Changes the acquirer's references of each report of a refund. The first sending of each report decides them. */
function withReferences(acquirerOf: (made: number) => object): Flaw {
  const sent = new Map<string, object>();
  return reporting((report, client) => {
    if (report.type !== "refunded") return client.report(report);
    const acquirer = sent.get(report.reportID) ?? acquirerOf(sent.size + 1);
    sent.set(report.reportID, acquirer);
    return client.report({ ...report, acquirer });
  });
}

function withNewCharges(): Flaw {
  const answered = new Set<string>();
  return reporting(async (report, client) => {
    const isAgain = report.type === "authorized" && answered.has(report.reportID);
    const sent = isAgain ? { ...report, reportID: randomUUID(), chargeID: randomUUID() } : report;
    const status = await client.report(sent);
    if (status < 300) answered.add(report.reportID);
    return status;
  });
}

/** Keeps the age of the first sending until a report is answered, at a quick card. */
function withFirstAges(): Flaw {
  const ages = new Map<string, unknown>();
  return reporting(async (report, client) => {
    if (report.amount !== 100 || report["agoMs"] === undefined) return client.report(report);
    const agoMs = ages.get(report.reportID) ?? report["agoMs"];
    ages.set(report.reportID, agoMs);
    const status = await client.report({ ...report, agoMs });
    if (isAnswered(status)) ages.delete(report.reportID);
    return status;
  });
}

/** Changes how a closing is sent, or sent again. */
const closing = (
  send: (closing: DayClosing, client: TerminalClient, before: readonly DayClosing[]) => Promise<number>,
) => {
  const before: DayClosing[] = [];
  const wrap = (client: TerminalClient): TerminalClient => ({
    ...client,
    async closeDay(sent) {
      before.push(sent);
      return send(sent, client, before.slice(0, -1));
    },
  });
  return { wrap };
};

/** Each flaw, and the scenarios that must fail with it, each by this rule. No other scenario may fail. */
export const flawedTerminals: readonly (readonly [flaw: string, Flaw, Readonly<Record<string, string>>])[] = [
  [
    "charges again on a repeated message",
    forgetting((message, memory) => {
      if (memory.reports.delete(message.messageID)) memory.sessions.delete(keyOf(message.sessionID ?? ""));
    }, "payment"),
    { "repeated message": "T5", restart: "T5" },
  ],
  [
    "answers a repeat with a new chargeID",
    withNewCharges(),
    { "repeated message": "T5", restart: "T5", "capture and refund after an absence": "T15" },
  ],
  [
    "does not set the age of an approval anew",
    withFirstAges(),
    {
      "platform unavailable": "T25",
      "too many requests": "T25",
      "connection cut": "T25",
      "response lost": "T25",
      "key refused": "T25",
    },
  ],
  [
    "counts the age of an approval from its own start",
    reporting((report, client) => client.report(report.amount === 100.17 ? { ...report, agoMs: 3_600_000 } : report)),
    { "late charge": "T25" },
  ],
  [
    "tells an age after a power cut",
    reporting((report, client) => client.report(report.type === "authorized" ? { agoMs: 5, ...report } : report)),
    { restart: "T19", "power cut after the card": "T19", "capture and refund after an absence": "T19" },
  ],
  [
    "forgets its results after a power cut",
    {
      onPower(memory) {
        memory.reports.clear();
        memory.sessions.clear();
      },
    },
    {
      restart: "T5",
      "power cut before the card": "T20",
      "power cut after the card": "T7",
      "capture and refund after an absence": "T16",
    },
  ],
  [
    "forgets unanswered reports with the power",
    { onPower: ({ outbox }) => void outbox.splice(0) },
    { "power cut after the card": "T19" },
  ],
  [
    "begins a session again",
    forgetting(({ messageID, sessionID = "" }, { reports, sessions }) => {
      if (!reports.has(messageID)) sessions.delete(keyOf(sessionID));
    }, "payment"),
    { "session requested again": "T8" },
  ],
  [
    "refunds twice for one refundID",
    forgetting((message, memory) => sessionOf(message, memory)?.refunds.clear(), "refund"),
    { "refund requested again": "T18" },
  ],
  ["tells nothing of cards and references, as it may", withoutEvidence, {}],
  [
    "makes up the references of each report about a refund",
    withReferences((made) => ({ rrn: String(made).padStart(12, "0") })),
    { refund: "T18", "refund requested again": "T18" },
  ],
  ["gives every refund the same RRN", withReferences(() => ({ rrn: "000000000001" })), { refund: "T18" }],
  ["sends references that cannot be read", withReferences(() => ({ rrn: "one two" })), { refund: "T4" }],
  [
    "refunds a charge three times at most",
    arriving((message, memory) => {
      const made = sessionOf(message, memory)?.refunds.size ?? 0;
      return made < 3 ? message : { ...message, amount: 1_000_000 };
    }, "refund"),
    { "refund withdrawn": "T18" },
  ],
  [
    "counts no refunds of a charge",
    forgetting((message, memory) => {
      for (const charge of sessionOf(message, memory)?.charges ?? []) delete charge.refunded;
    }, "refund"),
    { "refund of too much": "T24" },
  ],
  [
    "refunds what was not captured",
    forgetting((message, memory) => {
      for (const charge of sessionOf(message, memory)?.charges ?? []) charge.captured = charge.amount;
    }, "refund"),
    { "refund without a capture": "T24" },
  ],
  [
    "captures twice",
    forgetting((message, memory) => {
      for (const charge of sessionOf(message, memory)?.charges ?? []) charge.captured = undefined;
    }, "capture"),
    { capture: "T16" },
  ],
  [
    "voids the wrong charge",
    arriving((message, memory) => {
      const first = sessionOf(message, memory)?.charges[0];
      return first ? { ...message, chargeID: first.chargeID } : message;
    }, "void"),
    { "second card": "T17", "unknown charge": "T21" },
  ],
  [
    "ignores cancel",
    {
      wrap: (client) => ({
        ...client,
        async next(...given) {
          const message = await client.next(...given);
          if (message?.type !== "cancel") return message;
          const { messageID, sessionID } = message;
          await client.report({ reportID: randomUUID(), type: "acknowledged", messageID, sessionID });
          return undefined;
        },
      }),
    },
    { "cancel in time": "T12", "cancel too late": "T12", "cancel before the payment": "T12" },
  ],
  [
    "begins expired payments",
    arriving((message) => ({ ...message, expiresInMs: 60_000 }), "payment"),
    { "expired payment": "T9" },
  ],
  [
    "begins what it refused",
    forgetting((_, { refused }) => refused.clear(), "payment"),
    { "cancel before the payment": "T10", "expired payment": "T10", "status query": "T10" },
  ],
  [
    "charges the whole amount after a discount",
    arriving(({ totalAmountInclVat: _, ...message }) => message, "discount"),
    { discount: "T13", "tip after a discount": "T26" },
  ],
  [
    "takes a larger tip than it may",
    arriving(({ tip, ...message }) => (tip ? { ...message, tip: { ...tip, maximum: 30 } } : message), "payment"),
    { "largest tip": "T26" },
  ],
  [
    "asks for a tip after a discount as before it",
    arriving((message, memory) => {
      const { tip: _, ...discount } = message;
      const before = sessionOf(message, memory)?.tip;
      return before ? { ...discount, tip: before } : discount;
    }, "discount"),
    { "tip after a discount": "T26" },
  ],
  [
    "names no tip in its reports",
    reporting(({ tipAmount: _, ...report }, client) => client.report(report)),
    { tip: "T26", "largest tip": "T26", "tip after a discount": "T26" },
  ],
  [
    "asks for a tip by itself",
    arriving((message) => ({ tip: { percents: [], amounts: [], custom: true, maximum: 30 }, ...message }), "payment"),
    { "no question for a tip": "T26" },
  ],
  [
    "never reports started",
    reporting(async (report, client) => (report.type === "started" ? 200 : client.report(report))),
    {
      start: "T1",
      "start without an answer": "T1",
      restart: "T1",
      "power cut before the card": "T1",
      "power cut after the card": "T1",
      "expired while off": "T1",
      "memory lost": "T1",
      "capture and refund after an absence": "T1",
      "day closed": "T1",
    },
  ],
  [
    "says that it kept a lost memory",
    reporting((report, client) => client.report(report.type === "started" ? { ...report, memory: "kept" } : report)),
    { "memory lost": "T21", "day closed": "T21" },
  ],
  [
    "reports under a new reportID after a failure",
    underNewNames(),
    {
      "platform unavailable": "T3",
      "too many requests": "T3",
      "connection cut": "T3",
      "response lost": "T3",
      "key refused": "T3",
      "repeated cuts": "T3",
      "platform away": "T3",
      "start without an answer": "T3",
      "power cut after the card": "T19",
    },
  ],
  [
    "does not name the query that it answers",
    reporting((report, client) => {
      const { messageID: _, ...unnamed } = report;
      return client.report(report.type === "stillRunning" ? unnamed : report);
    }),
    { "status query": "T4" },
  ],
  [
    "gives a report up when the key is refused",
    reporting(async (report, client) => {
      const status = await client.report(report);
      return status === 401 ? 403 : status;
    }),
    { "key refused": "T3", "start without an answer": "T1" },
  ],
  [
    "hangs on unknown messages",
    {
      wrap: (client) => ({
        ...client,
        async next(wait, options) {
          const message = await client.next(wait, options);
          if (message?.type === "laterMessage")
            await new Promise((_, reject) => options?.signal?.addEventListener("abort", reject, { once: true }));
          return message;
        },
      }),
    },
    { "unknown message": "T6" },
  ],
  [
    "leaves a payment out of its totals",
    closing(({ totals, ...rest }, client) =>
      client.closeDay({
        ...rest,
        totals: totals.map((one) => ({ ...one, captures: one.captures - 1, captured: Math.floor(one.captured) - 100 })),
      }),
    ),
    { "day closed": "T23" },
  ],
  [
    "closes the day again under a new closingID after a failure",
    closing((sent, client, before) =>
      client.closeDay(before.includes(sent) ? { ...sent, closingID: randomUUID() } : sent),
    ),
    { "day closed": "T23" },
  ],
  [
    "corrects its totals under the first closingID",
    closing((sent, client, [first = sent]) => client.closeDay({ ...sent, closingID: first.closingID })),
    { "day closed": "T23" },
  ],
  [
    "closes its day once and for all",
    closing((sent, client, [first = sent]) => client.closeDay(first)),
    { "day closed": "T23" },
  ],
  [
    "names no business day",
    reporting(({ businessDay: _, ...report }, client) => client.report(report)),
    { "day closed": "T22" },
  ],
];
