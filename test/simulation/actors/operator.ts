import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import type { Timings } from "../../../shared/domain/timings.ts";
import type { TablePorts } from "../../../shared/stores/stores.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { closeAlert, isOfPayment, nameOfSubject, type Alert } from "../../../shared/domain/alert.ts";
import {
  chargeInDoubt,
  contradictedCharge,
  isHeldBack,
  wantedCharge,
} from "../../../shared/domain/payment/record/charge.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { replayWebhooks } from "../../../shared/use-cases/operator/replay-webhooks.ts";
import { aCall, callOf } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import { rememberingTerminals, type Deps } from "../platform/platform.ts";
import { HOUR, MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import { createDayCorrections } from "./day-corrections.ts";
import { differencesOf, paidUnknown } from "./differences.ts";
import type { Flaws } from "./flaws.ts";
import {
  aWrongWord,
  correctingWord,
  haveCardsCorrected,
  haveMoneyMoved,
  isAtRest,
  nextWord,
  type Word,
} from "./judgement.ts";
import { mayBeCorrected, recordsMore, watchCounted, watchKept, watchPaid } from "./operator-rules.ts";
import type { Plan } from "./plan.ts";
import { createRefusedRequests } from "./refused-requests.ts";
import { nameOfKept } from "./refund-names.ts";
import type { TerminalDevice } from "./terminal.ts";
import { withTip } from "./tips.ts";

/**
 * How an operator works. A `knowing` operator resolves according to the cards, once the terminal has no action under way. A `hasty`
 * operator resolves according to the present state of the cards. An `erring` operator sometimes resolves and closes at random.
 */
type Conduct = "knowing" | "hasty" | "erring";
/** The operator's name in histories and closings. It marks an error. */
export const ERRING = "erring operator";
/** An operator closed the alert without correcting anything. */
export const isClosedInError = ({ closings }: Alert): boolean => closings.at(-1)?.by === ERRING;

interface Surroundings {
  readonly http: Http;
  /** The tables, without faults. */
  readonly ports: TablePorts;
  readonly timings: Timings;
  readonly ledger: CardLedger;
  readonly flaws: Flaws;
  readonly plans: readonly Plan[];
  readonly devices: readonly TerminalDevice[];
}

/** From then on an operator no longer waits for a terminal to come back. */
const lastLook = ({ end }: World): number => end - 11 * HOUR;

/** The operator of this world. */
export interface Operator {
  readonly conduct: Conduct;
  /** Alerts from before this time were seen at a visit. Milliseconds since the world began. */
  readonly lastVisit: number;
}

/**
 * Some worlds have an operator, who knows the cards. The operator comes at random times, during the faults and long after them. The
 * operator reads the open alerts, lets the acquirer correct the cards, resolves payments that do not end, closes alerts, replays webhooks,
 * and runs repair. Every call may be lost or fail halfway, and is then repeated.
 */
export function startOperator(world: World, surroundings: Surroundings): Operator | undefined {
  const { quirks, agenda } = world;
  const { flaws, plans } = surroundings;
  if (!quirks.chance(flaws.isPerfect ? 0.3 : 0.6)) return undefined;
  const conduct = quirks.pick<Conduct>("knowing", "hasty", "erring");
  const desk = createDesk(world, surroundings, conduct);

  async function visit(): Promise<void> {
    const open = await desk.ask("an operator reads the alerts", (deps) => deps.alerts.listOpen());
    for (const alerts of Map.groupBy(open ?? [], ({ subject }) => nameOfSubject(subject)).values())
      await desk.seeTo(alerts);
    for (const alert of open ?? []) await desk.seeToDay(alert);
    if (conduct === "erring" && quirks.chance(0.5)) await desk.err(open ?? []);
    if (conduct === "hasty") await desk.hurry();
    if (quirks.chance(0.1)) {
      const options = { all: quirks.chance(0.5), dryRun: false };
      await desk.ask("an operator repairs", (deps) => repair(deps, aCall(deps), options));
    }
    for (const plan of plans.filter(() => quirks.chance(0.03)))
      await desk.ask("an operator replays webhooks", (deps) => replayWebhooks(deps, paymentSubjectOf(plan)));
  }

  const early = () => quirks.between(MINUTE / 2, quirks.pick(3, 10, 50) * MINUTE);
  const late = () => quirks.between(HOUR, 70 * HOUR);
  const ofDoubts = [
    world.fateOf("an operator who looks at doubts").between(25 * HOUR, 40 * HOUR),
    lastLook(world) + HOUR / 2,
  ];
  const ends = [9, 6, 3].map((hours) => world.end - hours * HOUR);
  const moments = [early(), early(), early(), late(), late(), ...ofDoubts, ...ends];
  for (const moment of moments) agenda.after(moment, () => void visit());
  return { conduct, lastVisit: world.end - 9 * HOUR };
}

function createDesk(world: World, { http, ports, timings, ledger, plans, devices }: Surroundings, conduct: Conduct) {
  const { quirks, agenda, faultPlan } = world;
  const by = (isError: boolean) => (isError ? ERRING : `${conduct} operator`);

  /** Repeats a call until it has a response, a few times. A conflict is a response: a later visit tries again. */
  async function ask<T>(name: string, handle: (deps: Deps) => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; tries < 3; tries++) {
      const answer = await http({ name }, handle);
      if (answer.kind === "answered") return answer.value;
      await agenda.sleep(quirks.between(500, 20_000));
    }
    return undefined;
  }

  const read = async (plan: Plan): Promise<Payment | undefined> =>
    (await ask(`an operator reads ${plan.sessionId}`, (deps) => deps.payments.find(plan)))?.payment;

  /**
   * `seen`: the payment from which the operator concluded the word. If the payment has changed since, the call is refused, and another
   * visit checks again.
   */
  async function say(plan: Plan, seen: Payment, said: Word, isError: boolean): Promise<"done" | "refused"> {
    const word = withTip(ledger, seen, said);
    const resolution = { ...word, by: by(isError), why: "as the acquirer has it" };
    if (conduct !== "knowing") ledger.misjudge(plan.sessionId);
    const isAlerted = () => mayBeCorrected(ports, plan, { seen, word });
    const wasAlerted = await isAlerted();
    const check = await watchKept(world, ports, { ...plan, seen }, word);
    let answer: Awaited<ReturnType<typeof recordResolution>> | undefined;
    for (let times = 0; answer === undefined && times < 100; times++)
      answer = await ask(`an operator resolves ${plan.sessionId}`, (deps) =>
        recordResolution(deps, aCall(deps), seen, resolution),
      );
    // A call whose response was lost may have been carried out. Then the next call is refused.
    const history = await ports.payments.history(plan);
    const isHeard = history.some((entry) => entry.by === "operator" && entry.sequence > seen.sequence);
    const how = answer?.ok || isHeard ? "done" : "refused";
    world.trace?.(
      "operator",
      `${plan.sessionId} ${JSON.stringify(word)} ${answer?.ok === false ? answer.error.code : how}`,
    );
    const made = answer?.ok ? history.find((entry) => entry.sequence === answer.value.payment.sequence) : undefined;
    if (made?.event === "corrected" && !wasAlerted && !contradictedCharge(seen) && !(await isAlerted()))
      world.violate("an ended payment was corrected without an alert that names it", plan.sessionId);
    if (answer?.ok) watchCounted(world, seen, answer.value.payment, word);
    if (answer?.ok)
      check(
        history.filter(({ sequence }) => sequence <= answer.value.payment.sequence),
        timings,
      );
    if (how === "done") watchPaid(world, seen, word);
    if (how === "done" && word.outcome === "kept") await giveBackKept(plan, word.chargeId);
    if (how === "done") faultPlan.meet(`operator ${isError ? "errs" : "says"}: ${word.of} ${word.outcome}`);
    if (how === "done" && recordsMore(seen, word)) faultPlan.meet("operator records a refund above the request");
    return how;
  }

  /** The partner is notified of a kept charge, and may refund it under the charge's own name. */
  async function giveBackKept(plan: Plan, chargeId: string): Promise<void> {
    const payment = await read(plan);
    const charge = payment?.charges.find((c) => c.chargeId === chargeId);
    if (!payment || charge?.status !== "kept" || quirks.chance(0.5)) return;
    const { currency } = payment;
    const { sessionId, terminalId } = plan.request;
    const [refundId, reason] = [nameOfKept(chargeId), "kept"];
    const refundAmount = fromMinorUnits(charge.amount, currency);
    const request = { sessionId, terminalId, currency, refundAmount, reason, refundId, chargeId };
    const answer = await ask(`refund ${sessionId}`, (deps) =>
      refundPayment(rememberingTerminals(deps), callOf(deps, { partnerId: plan.partnerId, keyId: "key" }), request),
    );
    plan.known.refunds.push({ names: [refundId], amount: charge.amount, reason, isAccepted: answer?.ok === true });
    if (answer?.ok !== false) return;
    const isReturned = ({ outsideReference, chargeId: of }: Refund) =>
      outsideReference !== undefined && of === chargeId;
    if (!(await read(plan))?.refunds.some(isReturned))
      world.violate("a kept charge cannot be refunded", `${sessionId} ${answer.error.code}`);
  }

  /** Closes the alert as it was read. `why` stores how often it had been raised by then. */
  async function close(alert: Alert, isError: boolean): Promise<void> {
    const done = await ask(
      `an operator closes ${alert.kind} of ${nameOfSubject(alert.subject)}`,
      async ({ alerts, clock }) => {
        const read = await alerts.find(alert);
        if (!read || read.alert.count !== alert.count) return false;
        const closed = closeAlert(read.alert, { by: by(isError), why: String(alert.count), at: clock.now() });
        if (!closed) return false;
        try {
          await alerts.save(closed, read);
          return true;
        } catch (error) {
          if (error instanceof Conflict) return false;
          throw error;
        }
      },
    );
    if (done) faultPlan.meet(isError ? "operator closes an alert in error" : "operator closes an alert");
  }

  const isUnderWay = ({ request, sessionId }: Plan): boolean =>
    devices.some((d) => d.terminal.terminalId === request.terminalId && d.isBusyWith(sessionId));

  /** Only one visit works on a payment at a time; a later visit handles what was skipped. */
  const taken = new Set<Plan>();
  async function alone<T>(plan: Plan, work: () => Promise<T>): Promise<T | undefined> {
    if (taken.has(plan)) return undefined;
    taken.add(plan);
    try {
      return await work();
    } finally {
      taken.delete(plan);
    }
  }

  async function seeTo(alerts: readonly Alert[]): Promise<void> {
    const plan = plans.find((one) => alerts.some((alert) => isOfPayment(alert, one)));
    if (!plan || (conduct === "knowing" && isUnderWay(plan))) return;
    await alone(plan, () => mend(plan, alerts));
  }

  const slips = world.fateOf("slips of an operator");
  /**
   * Payments that an operator resolved with a wrong amount. The operator does not touch them until their terminals come back, or it is
   * late.
   */
  const mistaken = new Set<Plan>();

  /** The operator may leave out the amount. While no charge is known, the operator may name another amount than the card has. */
  function slip(plan: Plan, payment: Payment, word: Word): Word {
    if (word.of !== "payment" || word.amount === undefined || !slips.chance(0.6)) return word;
    const charge = payment.charges.find(({ chargeId }) => chargeId === word.chargeId);
    const isWhole = charge && fromMinorUnits(charge.amount, payment.currency) === word.amount;
    if (isWhole && slips.chance(0.5)) return { ...word, amount: undefined };
    if (payment.charges.length > 0) return word;
    mistaken.add(plan);
    if (slips.chance(0.3)) return { ...word, amount: undefined };
    const [own, requested] = [word.amount, fromMinorUnits(payment.amounts.requested, payment.currency)];
    const amount = own === requested ? fromMinorUnits(payment.amounts.requested + 100, payment.currency) : requested;
    if (amount > own) ledger.overstate(plan.sessionId);
    return { ...word, amount };
  }

  const requests = createRefusedRequests(world, ask);

  async function mend(plan: Plan, alerts: readonly Alert[]): Promise<void> {
    const isInDoubt = (about?: string, isContradicted = false) =>
      alerts.some((alert) => alert.about === about && (isContradicted || alert.kind !== "contradictingReport"));
    let payment: Payment | undefined;
    for (let steps = 0; steps < 10; steps++) {
      payment = await read(plan);
      if (!payment) return;
      const current = payment;
      if (mistaken.has(plan) && current.charges.length === 0 && agenda.now() < lastLook(world)) return;
      if ((chargeInDoubt(current) ?? contradictedCharge(current)) && steps === 0) await requests.refund(plan, current);
      if (isHeldBack(wantedCharge(current)) && current.status === "authorized" && steps === 0)
        await requests.cancel(plan);
      const [word, takeBack] = ledger.decide(() => nextWord(quirks, ledger, current, isInDoubt));
      if (!word) break;
      const said = slip(plan, current, word);
      const how = await say(plan, current, said, false);
      if (how === "done" && said !== word) faultPlan.meet("operator names a wrong amount or none");
      if (chargeInDoubt(current) && how === "done")
        faultPlan.meet(`operator decides a charge in doubt: ${word.outcome}`);
      if (how !== "done") return takeBack();
    }
    if (payment && (await isMended(plan, payment))) for (const alert of alerts) await close(alert, false);
  }

  /** Makes books and cards agree: by a correction of the books, or by the acquirer on the cards. True once they agree. */
  async function isMended(plan: Plan, payment: Payment): Promise<boolean> {
    if (!isAtRest(payment)) return false;
    const [, takeBack] = ledger.decide(() => quirks.chance(0.2) && haveMoneyMoved(ledger, payment));
    if (differencesOf(payment, ledger.chargesOf(plan.sessionId)).length === 0) return true;
    // If no card was charged, only the books can be corrected.
    const unknown = paidUnknown(payment, ledger.chargesOf(plan.sessionId));
    const isOfNoCard = unknown !== undefined && unknown.card === undefined;
    const word = quirks.chance(0.6) || isOfNoCard ? correctingWord(ledger, payment) : undefined;
    const how = word && (await say(plan, payment, word, false));
    if (how === "done") return false; // another visit handles the rest
    const latest = (await ports.payments.find(plan))?.payment;
    if (latest?.sequence !== payment.sequence) {
      takeBack(); // the books have changed, so the operator looks again before money moves
      return false;
    }
    haveCardsCorrected(ledger, payment);
    return differencesOf(payment, ledger.chargesOf(plan.sessionId)).length === 0;
  }

  /** Resolves payments that are still under way, according to the present state of the cards, although no alert requires it. */
  async function hurry(): Promise<void> {
    for (const plan of plans.filter(({ isCalm }) => !isCalm && quirks.chance(0.5))) {
      await alone(plan, async () => {
        const payment = await read(plan);
        const [word, takeBack] = ledger.decide(() => payment && nextWord(quirks, ledger, payment, () => true));
        if (payment && word && (await say(plan, payment, word, false)) !== "done") takeBack();
      });
    }
  }

  async function err(open: readonly Alert[]): Promise<void> {
    const [first, ...others] = open;
    if (first && quirks.chance(0.4)) return close(quirks.pick(first, ...others), true);
    for (const plan of plans.filter(({ isCalm }) => !isCalm && quirks.chance(0.5))) {
      const how = await alone(plan, async () => {
        const payment = await read(plan);
        const word = payment && aWrongWord(quirks, payment);
        return word && say(plan, payment, word, true);
      });
      if (how === "done") return;
    }
  }

  const { seeToDay } = createDayCorrections(world, { ports, ledger, plans }, { read, say, alone, close });
  return { ask, seeTo, seeToDay: (alert: Alert) => seeToDay(alert, isUnderWay), hurry, err };
}
