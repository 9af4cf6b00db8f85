import { z } from "zod";
import { alertKinds } from "../../shared/domain/alert-kinds.ts";
import type { AlertKind } from "../../shared/domain/alert.ts";
import { troubleNames } from "./trouble-names.ts";

// The data of a rehearsal, which `--json` writes and the page is drawn from. Amounts are minor units, moments are seconds since the day
// began, and waits are milliseconds.

const count = z.int().nonnegative();
const moment = z.number();

/** How long half, 95 % and 99 % of the payments waited at most; null where there is no payment. */
const waits = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable();

const phase = z.object({
  /** The payments that were acknowledged. */
  payments: count,
  /** Requests that were repeated because they got no response or were put off. */
  repeats: count,
  /** From a payment's first request until it was acknowledged. */
  untilAcknowledged: waits,
  /** From a payment's first request until a webhook brought its partner the outcome, of the payments of which one did. */
  untilOutcome: waits,
});

const trouble = z.object({
  name: z.enum(troubleNames),
  /** When it began and ended. */
  from: moment,
  to: moment,
  /** What was done in detail, in its order. */
  events: z.array(z.object({ at: moment, what: z.string() })),
  /**
   * The payments of its slot that ended before it, that met it, and that began after it. Where webhook servers hang, those of the other
   * partners: what the trouble must not slow down.
   */
  before: phase,
  during: phase,
  after: phase,
});

const sums = z.object({ captured: z.int(), refunded: z.int(), kept: z.int() });

const money = z.object({
  currency: z.string(),
  payments: count,
  /** Taken from cards, given back as refunds, and what the merchants have therefore, by the books and by the cards. */
  books: sums,
  cards: sums,
  /** What the accountants' files of all days add up to. */
  files: z.int(),
  /** Payments of which the cards hold something else than the books, and why that is not the platform's fault. */
  explained: z.array(z.object({ why: z.string(), payments: count, inBooks: z.int(), onCards: z.int() })),
  /** The same without such a reason. */
  unexplained: z.array(z.object({ sessionID: z.string(), inBooks: z.int(), onCards: z.int() })),
});

/** The terminals' business days as each terminal closed it, in minor units: captures less reversals and refunds. */
const closings = z.object({
  currency: z.string(),
  days: z.array(
    z.object({
      terminal: z.string(),
      day: z.string(),
      status: z.enum(["closed", "differs"]),
      byTerminal: z.int(),
      inBooks: z.int(),
    }),
  ),
});

const alertKind = z.enum(Object.keys(alertKinds) as [AlertKind, ...AlertKind[]]);

const alert = z.object({
  kind: alertKind,
  at: moment,
  status: z.enum(["open", "closed"]),
  /** The payment, terminal or part of the platform that it is about, and the charge, refund or message of it. */
  subject: z.string(),
  about: z.string().optional(),
});

export const rehearsalRecord = z.object({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  wanted: z.object({ minutes: z.number(), terminals: count, seed: z.int(), trouble: z.array(z.enum(troubleNames)) }),
  app: z.object({
    version: z.string(),
    /** The version that ran beside it; absent where none did. */
    beside: z.string().optional(),
    node: z.string(),
  }),
  /** How long payments were begun. */
  seconds: moment,
  /** From then until the platform had nothing left to do; null where that was not awaited to its end. */
  quietAfter: moment.nullable(),
  /** The user ended it before its time. */
  isEndedEarly: z.boolean(),
  /** Why the run proves nothing; absent where it proves something. */
  unproven: z.string().optional(),
  /** Each broken promise, as a sentence. */
  broken: z.array(z.string()),
  troubles: z.array(trouble),
  /** The payments over time, in parts of equal length: acknowledged, and the longest wait for that. */
  over: z.object({
    seconds: z.number().positive(),
    parts: z.array(z.object({ payments: count, longestWait: z.number().nonnegative() })),
  }),
  /** Payments by the state in which they ended. */
  states: z.record(z.string(), count),
  webhooks: count,
  /** Absent where the payments had not come to their end. */
  money: money.optional(),
  /** Without days where the payments had not come to their end. */
  closings,
  alerts: z.array(alert),
  /** Further counts, by their names. */
  figures: z.record(z.string(), count),
});

export type Rehearsal = z.infer<typeof rehearsalRecord>;
export type Trouble = Rehearsal["troubles"][number];
export type Phase = z.infer<typeof phase>;
export type Waits = z.infer<typeof waits>;
export type Money = z.infer<typeof money>;
