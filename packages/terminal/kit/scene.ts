import { setTimeout as sleep } from "node:timers/promises";
import { acquirer } from "../../../shared/contracts/objects/card-receipt.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import type { TipChoices } from "../../../shared/domain/payment/record/tip.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import { after } from "../../../shared/domain/time.ts";
import { brokenAlways } from "./always.ts";
import type { Filed } from "./inbox.ts";
import { brokenMoney } from "./money.ts";
import type { Payment } from "./payment.ts";
import type { Platform } from "./platform.ts";
import type { TerminalUnderTest } from "./power.ts";
import type { RuleNumber } from "./rules.ts";
import { membersOf, type ReceivedReport } from "./received-report.ts";
import type { Trouble } from "./troubles.ts";

/** A terminal broke a rule. The message says what happened, and what was expected. */
export class RuleBroken extends Error {
  readonly rule: RuleNumber;
  constructor(rule: RuleNumber, sees: string) {
    super(sees);
    this.rule = rule;
  }
}

/** The options of a requested payment. */
export interface PaymentOptions {
  readonly currency?: string;
  readonly captureMode?: "manual" | "automatic";
  /** Overrides the time that is left when the payment arrives. */
  readonly expiresInMs?: number;
  /** In minor units. Default: 100.00 plus the script's digits. */
  readonly total?: number;
  /** The number of charges that the script makes. Default: one. */
  readonly charges?: number;
  /** The rule that an additional charge breaks. */
  readonly once?: RuleNumber;
  /** The session, if it exists already. */
  readonly sessionID?: string;
  /** The question for a tip. */
  readonly tip?: TipChoices;
}

export interface SceneOptions {
  readonly platform: Platform;
  readonly terminal: TerminalUnderTest;
  /** The longest wait for a report. */
  readonly patienceMs: number;
  /** How long the kit waits at the end for messages that must not come. */
  readonly quietMs: number;
}

const ENDS: ReadonlySet<string> = new Set(["authorized", "declined", "cancelled", "failed", "notStarted"]);

/** The functions of a scenario. If a wait times out, it fails with the rule that the terminal broke. */
export function newScene(options: SceneOptions) {
  const { platform, terminal } = options;
  const sight = newSight(options);
  const answers = awaitedReports(sight);
  const orders = ordersOn(platform);
  const { request } = orders;
  const { until, exchanges, reports } = sight;

  /** Takes a payment to its approval. Returns it with its charge. */
  async function approve(
    digits = "00",
    options: PaymentOptions = {},
  ): Promise<Payment & { readonly chargeID: string }> {
    const payment = request(digits, options);
    terminal.customer(
      `present a card that is approved for ${fromMinorUnits(payment.total, payment.currency)} ${payment.currency}`,
    );
    await answers.accepted(payment);
    const end = await answers.ended(payment, ["authorized"], "T11");
    answers.amountIs(end, payment.total, payment.currency);
    return { ...payment, chargeID: end.chargeID ?? "" };
  }

  /** Asks the terminal for the status of the payment. */
  const standing = (sessionID: string, types: readonly string[], rule: RuleNumber = "T7") =>
    answers.answer(orders.send(sessionID, { type: "statusQuery" }), types, rule);

  return {
    platform,
    ...sight,
    ...answers,
    ...orders,
    ...powerOf(options, sight),
    approve,
    standing,
    finish: () => finish(options, sight, orders.payments),
    forget: () => terminal.forget(),
    customer: (does: string) => terminal.customer(does),
    newId: platform.newId,
    /** Sends the message again, although it was answered. Returns the index of the next report. */
    repeat(filed: Filed): number {
      const since = reports().length;
      platform.fileAgain(filed);
      return since;
    },
    withdraw: (filed: Filed) => platform.withdraw(filed),
    trouble: (trouble: Trouble) => platform.troubles.add(trouble),
    calm: () => platform.troubles.clear(),
    /** Waits until the message was handed out to the terminal. */
    handedOut: ({ messageId }: Filed) =>
      until("T2", "a poll", () =>
        exchanges().find(({ status, body }) => status === 200 && body.includes(`"messageID":"${messageId}"`)),
      ),
  };
}
export type Scene = ReturnType<typeof newScene>;

function check(rule: RuleNumber, isKept: boolean, sees: string): void {
  if (!isKept) throw new RuleBroken(rule, sees);
}

type Sight = ReturnType<typeof newSight>;

/** The exchanges since the scenario began. Every wait also watches for the rules that a terminal must never break. */
function newSight({ platform, terminal, patienceMs }: SceneOptions) {
  const firstExchange = platform.exchanges.length;
  const firstReport = platform.reports.length;
  const reports = () => platform.reports.slice(firstReport);
  const exchanges = () => platform.exchanges.slice(firstExchange);
  let isPowered = false;

  function watch(): void {
    const broken = brokenAlways(platform, { firstReport, isPowered });
    if (broken) throw new RuleBroken(broken.rule, broken.sees);
  }
  /** Waits until `find` returns a value. */
  async function until<Found>(rule: RuleNumber, what: string, find: () => Found | undefined): Promise<Found> {
    const end = performance.now() + patienceMs;
    for (;;) {
      watch();
      const found = find();
      if (found !== undefined) return found;
      const crash = terminal.crash();
      check(rule, crash === undefined, `The terminal ended by itself while the kit waited for ${what}: ${crash}`);
      const left = end - performance.now();
      check(rule, left > 0, `${what} did not come within ${patienceMs / 1_000} s.`);
      await platform.changed.next(Math.min(left, 200));
    }
  }

  return {
    check,
    until,
    watch,
    reports,
    exchanges,
    /** The terminal has power from now on. */
    seePower(): void {
      isPowered = true;
    },
  };
}

/** The waits for a terminal's reports, and the checks of their content. */
function awaitedReports({ until, reports }: Sight) {
  const of = (sessionID: string) => reports().filter((one) => one.sessionID === sessionID.toLowerCase());

  /** Waits for the first report that ends the session. Its type must be one of these. */
  async function ended({ sessionID }: Payment, types: readonly string[], rule: RuleNumber): Promise<ReceivedReport> {
    const end = await until(rule, `the end of the payment (${types.join(" or ")})`, () =>
      of(sessionID).find((one) => one.isTaken && ENDS.has(one.type)),
    );
    check(rule, types.includes(end.type), `The payment ended as ${end.type} instead of ${types.join(" or ")}.`);
    return end;
  }

  /**
   * Waits for the terminal's answer to a message. The platform must take the report as its answer, and the report's index must be at least
   * `since`.
   */
  async function answer(filed: Filed, types: readonly string[], rule: RuleNumber, since = 0): Promise<ReceivedReport> {
    const kind = filed.unknownType ?? filed.message.type;
    const got = await until(rule, `an answer to ${kind} (${types.join(" or ")})`, () =>
      reports()
        .slice(since)
        .find((one) => one.isTaken && one.answers === filed.messageId),
    );
    check(rule, types.includes(got.type), `${kind} was answered with ${got.type} instead of ${types.join(" or ")}.`);
    return got;
  }

  async function accepted(payment: Payment, rule: RuleNumber = "T8"): Promise<void> {
    await until(rule, "the report accepted", () =>
      of(payment.sessionID).find(({ type, isTaken }) => type === "accepted" && isTaken),
    );
  }

  /** Checks that the report names this amount, in minor units, and this currency. */
  function amountIs({ body, type }: ReceivedReport, minor: number, currency: string, rule: RuleNumber = "T15"): void {
    const is = body["amount"] === fromMinorUnits(minor, currency) && body["currency"] === currency;
    const got = `${String(body["amount"])} ${String(body["currency"])}`;
    check(rule, is, `${type} is about ${got} instead of ${fromMinorUnits(minor, currency)} ${currency}.`);
  }

  /** If the report has references of the acquirer, checks that they can be read, and that no other movement has its RRN. */
  function referencesAreOwn({ type, body }: ReceivedReport, others: readonly ReceivedReport[], rule: RuleNumber): void {
    const { acquirer: sent } = body;
    if (sent === undefined) return;
    const read = acquirer.safeParse(sent);
    check("T4", read.success, `The acquirer of ${type} cannot be read: ${JSON.stringify(sent)}.`);
    const rrnOf = (one: ReceivedReport) => membersOf(one.body["acquirer"])["rrn"];
    const { rrn } = membersOf(sent);
    const isOwn = rrn === undefined || !others.some((one) => rrnOf(one) === rrn);
    check(rule, isOwn, `${type} has the rrn of another movement: ${String(rrn)}.`);
  }

  return { of, ended, answer, accepted, amountIs, referencesAreOwn };
}

/** The messages that the platform files, and the payments that they request. */
function ordersOn(platform: Platform) {
  const payments: Payment[] = [];

  /** Files a message for the session. */
  function send(sessionID: string, message: TerminalMessage, more: { readonly unknownType?: string } = {}): Filed {
    return platform.file({ messageId: platform.newId(), sessionID, about: sessionID.toLowerCase(), message, ...more });
  }

  function request(digits: string, options: PaymentOptions = {}): Payment {
    const { currency = "SEK", captureMode = "manual", expiresInMs = 60_000, charges = 1, once = "T15" } = options;
    const { sessionID = platform.newId(), total = 10_000 + Number(digits), tip } = options;
    const message: TerminalMessage = {
      type: "payment",
      amount: total,
      currency,
      captureMode,
      tip,
      merchantName: "Kit Kiosk",
    };
    const isShort = expiresInMs <= 0;
    const filed = platform.file({
      messageId: platform.newId(),
      sessionID,
      about: sessionID.toLowerCase(),
      message,
      ...(isShort ? { expiresInMs } : { expiresAt: after(platform.now(), expiresInMs / 1_000) }),
    });
    const payment = { sessionID, filed, total, currency, charges, once };
    payments.push(payment);
    return payment;
  }

  return { send, request, payments: payments as readonly Payment[] };
}

/** The terminal's power, cut and connected. */
function powerOf({ platform, terminal }: SceneOptions, { until, reports, seePower }: Sight) {
  async function cutPower(): Promise<void> {
    platform.hangUp();
    await terminal.cutPower();
    platform.hangUp();
  }

  /** Connects the power, and waits for the report of the start. */
  async function powerOn(memory?: "kept" | "lost", rule: RuleNumber = "T1"): Promise<void> {
    platform.powerUp();
    seePower();
    await terminal.powerOn();
    const { powerUps } = platform;
    const start = await until("T1", "the report started", () =>
      reports().find(({ type, isTaken, powerUp }) => type === "started" && isTaken && powerUp === powerUps()),
    );
    const { memory: said = "lost" } = start.body;
    const isTrue = memory === undefined || said === memory;
    check(rule, isTrue, `The terminal started with memory ${String(said)} instead of ${String(memory)}.`);
  }

  return { cutPower, powerOn };
}

/** Waits until every report without a final response has come again. Then waits for messages that must not come, and checks the money. */
async function finish(
  { platform, terminal, quietMs }: SceneOptions,
  { until, watch, reports }: Sight,
  payments: readonly Payment[],
): Promise<void> {
  const again = () =>
    reports().find((one) => !reports().some((other) => other.reportID === one.reportID && other.isTaken));
  await until("T3", "a report again that had no final response, under its own reportID", () =>
    again() ? undefined : true,
  );
  await sleep(quietMs);
  watch();
  const reported = { reports: reports().filter(({ isTaken }) => isTaken), payments };
  const broken = brokenMoney({ ...reported, filed: platform.filed(), movements: await terminal.movements() });
  if (broken) throw new RuleBroken(broken.rule, broken.sees);
}
