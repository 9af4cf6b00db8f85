import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import { dayAfter } from "../../shared/domain/booking.ts";
import { dayOf } from "../../shared/domain/time.ts";
import { eachOf } from "../../shared/use-cases/each-of.ts";
import type { Losable } from "../support/losable-server.ts";
import { partnerOn } from "../support/partner.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { LONG } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";
import { webShopOn } from "../support/web-shop.ts";
import { readFiles } from "./books.ts";
import { alertsAfter, closeDays } from "./closings.ts";
import { check, type Findings } from "./checker.ts";
import { startLoad } from "./load.ts";
import type { ShownAlert } from "./operator-judgements.ts";
import { startOperator } from "./operator.ts";
import { patiently } from "./patiently.ts";
import { notQuiet } from "./quiet.ts";
import type { Wait } from "./report.ts";
import { startTerminal, type TerminalAction } from "./terminal.ts";

// A day on a running stack: partners that pay at their terminals, an operator, and finally the comparison of all their logs.

const QUIET_WITHIN_MS = 240_000;
/**
 * The platform counts as quiet after several consecutive checks without activity, because a check reads row after row while rows may
 * change.
 */
const QUIET_FOR_MS = 4_000;
/** Few for this number of payments, so that the payments race for them. */
const VOUCHERS = 40;
const VOUCHER_TRIES = 5;

/** Settings with deadlines that pass within a run. With production's values the platform would need long to become quiet. */
export const shortDeadlines = {
  ACCEPTANCE_SECONDS: "15",
  EXPIRY_SECONDS: "30",
  ANSWER_SECONDS: "10",
  OUTCOME_SECONDS: "15",
  DOUBT_SECONDS: "25",
  RETRY_VOID_SECONDS: "3",
  COMMIT_WINDOW_SECONDS: "8",
  LEASE_SECONDS: "3",
  DAY_GRACE_SECONDS: "5",
  DAY_TOTALS_SECONDS: "172800", // the first of two days is yesterday, whose totals would be missing in the afternoon
};
/** Queues that redeliver a message of a killed host at once, and do not dead-letter it because of the many kills of a run. */
export const patientQueues = { LockDuration: "PT5S", MaxDeliveryCount: 50 };

/** One terminal in this many is imperfect. */
const IMPERFECT_OF = 3;

/** The participants of a day, and their behaviour. */
export interface DayPlan {
  readonly seed: number;
  readonly terminals: number;
  /**
   * Whether terminals lose power, and some violate the platform's rules. If not, the platform reaches its terminals all the time, so no
   * payment may end because of a terminal's silence.
   */
  readonly areTerminalsTroubled: boolean;
  /** Milliseconds from the beginning until the terminals' next business day begins. */
  readonly midnightMs: () => number;
}

/** A running day. */
export interface Day {
  /** The actions of terminals, operator and acquirer so far, counted. */
  readonly counts: Readonly<Record<string, number>>;
  /** The partners' servers for webhooks. */
  readonly webhooks: readonly Losable[];
  /** Starts no more payments and ends the troubles of the terminals. Waits until the platform is quiet, and compares all logs. */
  end(): Promise<EndedDay>;
  /** Stops everything that the day started. */
  stop(): Promise<void>;
}

export interface EndedDay extends Findings {
  readonly payments: number;
  /** All alerts that were raised, including the closed ones. */
  readonly alerts: readonly ShownAlert[];
  /** The remaining activity when the wait for quiet ended; undefined if the platform became quiet. */
  readonly moving: string | undefined;
  readonly waits: readonly Wait[];
  /** From the beginning until the load has ended and the terminals are calm, and from then until the platform is quiet. */
  readonly seconds: { readonly faults: number; readonly untilQuiet: number };
  /** Responses with status 500, and webhooks with a wrong signature. */
  readonly mistakes: readonly string[];
}

/** Begins a day: partners with terminals of their own on the stack make payment after payment. */
export async function beginDay(stack: Stack, plan: DayPlan): Promise<Day> {
  const { seed } = plan;
  const counts: Record<string, number> = {};
  const count = (what: string) => void (counts[what] = (counts[what] ?? 0) + 1);
  const actions: TerminalAction[] = [];
  const vouchers = await newVouchers(stack);
  const isPerfect = (terminal: number) => !plan.areTerminalsTroubled || terminal % IMPERFECT_OF > 0;
  const now = dayOf(new Date().toISOString());
  const days = [dayAfter(now, -1), now] as const;
  const tills = await Promise.all(
    Array.from({ length: plan.terminals }, async (_, i) => {
      const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }));
      const webhooks = await startWebhookServer(partner.partner.webhookSecret);
      const random = seededRandom(seed + i + 1);
      const terminal = startTerminal(partner.silent.client, {
        random,
        isPerfect: isPerfect(i),
        isTroubled: plan.areTerminalsTroubled,
        days,
        midnightMs: plan.midnightMs(),
        journal: (action) => void actions.push(action),
        count,
      });
      const load = startLoad(partner, webhooks, { random, vouchers, errs: !isPerfect(i), count });
      return { partner, webhooks, terminal, load, terminalId: partner.partner.terminals.silent.pointOfServiceID };
    }),
  );
  const promised = () => tills.flatMap(({ load }) => load.promised);
  const random = seededRandom(seed - 1);
  const operator = startOperator(stack.file, { random, actions, count, sessions: promised });
  const began = performance.now();

  /** Waits until neither platform nor operator has work. */
  async function becomeQuiet(forgotten: ReadonlySet<string>) {
    const since = performance.now();
    let moving: string | undefined = "not checked yet";
    const waits: Wait[] = [];
    let quietSince = Infinity;
    while (performance.now() - quietSince < QUIET_FOR_MS && performance.now() - since < QUIET_WITHIN_MS) {
      const checked = performance.now();
      moving = await notQuiet(stack.file, actions, forgotten);
      if (moving === undefined && !operator.isIdle()) moving = "the operator is at work";
      if (moving !== waits.at(-1)?.moving) waits.push({ moving, seconds: (checked - since) / 1000 });
      quietSince = moving === undefined ? Math.min(quietSince, checked) : Infinity;
      await sleep(500);
    }
    return { moving, waits, seconds: (Math.min(quietSince, performance.now()) - since) / 1000 };
  }

  return {
    counts,
    webhooks: tills.map(({ webhooks }) => webhooks),
    async end() {
      await Promise.all(tills.map(({ load }) => load.finish()));
      await Promise.all(tills.map(({ terminal }) => terminal.calm()));
      const seconds = (performance.now() - began) / 1000;
      const forgotten = new Set(tills.flatMap(({ terminal }) => [...terminal.forgotten]));
      const quiet = await becomeQuiet(forgotten);
      const closedDays =
        quiet.moving === undefined
          ? await eachOf(tills, ({ partner, terminal, terminalId }) => closeDays(partner, terminalId, terminal))
          : [];
      await operator.leave();
      const alerts = await alertsAfter(closedDays.flat(), () => patiently(() => operator.allAlerts()));
      const evidence = {
        promised: promised(),
        actions,
        webhooks: tills.flatMap(({ webhooks }) => webhooks.received),
        closedDays: closedDays.flat(),
        alerts,
        files: await Promise.all(tills.map(({ partner }) => readFiles(partner))),
        openAlerts: alerts.filter(({ status }) => status === "open"),
        forgotten,
        perfect: new Set(tills.flatMap(({ terminal, terminalId }) => (terminal.isPerfect ? [terminalId] : []))),
        polling: new Set(plan.areTerminalsTroubled ? [] : tills.map(({ terminalId }) => terminalId)),
      };
      const unverified = tills.flatMap(({ webhooks }) => webhooks.unverified);
      return {
        ...(await patiently(() => check(stack.file, evidence))),
        payments: evidence.promised.length,
        alerts,
        moving: quiet.moving,
        waits: quiet.waits,
        seconds: { faults: seconds, untilQuiet: quiet.seconds },
        mistakes: [
          ...tills.flatMap(({ load }) => load.mistakes),
          ...unverified.map((error) => `a webhook failed verification: ${error}`),
        ],
      };
    },
    async stop() {
      await Promise.all([operator.leave(), ...tills.map(({ load }) => load.finish())]);
      for (const { terminal, webhooks } of tills) {
        await terminal.calm();
        await Promise.all([terminal.stop(), webhooks.close()]);
      }
    },
  };
}

/** The codes of new vouchers, created in batches. All at once would make a slow machine respond 503 before the run has begun. */
async function newVouchers({ file }: Stack): Promise<readonly string[]> {
  const shop = webShopOn(file, LONG);
  const vouchers: string[] = [];
  while (vouchers.length < VOUCHERS)
    vouchers.push(...(await Promise.all(Array.from({ length: 8 }, async () => voucherOf(shop)))));
  return vouchers;
}

/** The code of a new voucher. A slow machine may respond 503 to some requests. */
async function voucherOf(shop: ReturnType<typeof webShopOn>): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return (await shop.token()).code;
    } catch (error) {
      if (tries === VOUCHER_TRIES) throw error;
      await sleep(1_000);
    }
  }
}
