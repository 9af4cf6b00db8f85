import { APPROVAL_RRN } from "../world/references.ts";
import type { World } from "../world/world.ts";
import { CALM, FAULTS_END, MINUTE, SECOND } from "../world/time.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { AfterAll } from "./after-all.ts";
import type { Ages } from "./ages.ts";
import type { Flaws } from "./flaws.ts";
import type { Hidings } from "./hidings.ts";
import { newRun, type Arrival, type ArrivalOf, type Facts, type MadeCharge } from "./terminal-memory.ts";
import type { Run, TerminalMemory, Outcome } from "./terminal-memory.ts";
import { checkQuestion, drawTip } from "./tips.ts";

/** The part of a terminal that reads cards. */
export interface CardReader {
  /** Starts a payment, which continues by itself and reports its outcomes. */
  pay(arrival: ArrivalOf<"payment">, reportOutcome: (outcome: Outcome) => void): Promise<void>;
  /**
   * False while the reader runs a session that an operator ended too early, or that a restore lost. Any other running session is the
   * platform's fault, and reported as a violation.
   */
  isFreeFor(sessionId: string): boolean;
  /** Ends everything that a restart would end. */
  restart(): void;
}

interface Surroundings {
  readonly ledger: CardLedger;
  readonly memory: TerminalMemory;
  readonly flaws: Flaws;
  readonly hidings: Hidings;
  readonly afterAll: AfterAll;
  readonly ages: Ages;
  readonly terminalId: string;
}

export function createCardReader(world: World, surroundings: Surroundings): CardReader {
  const { ledger, memory, flaws, hidings, afterAll, ages, terminalId } = surroundings;
  const { agenda, random, faultPlan } = world;
  let atReader: { readonly sessionId: string; readonly run: Run; stop(why: "cancelled" | "failed"): void } | undefined;

  /** Waits for the card. A cancel or a restart ends the wait. In some worlds the customer takes long. */
  async function waitForCard(sessionId: string, run: Run): Promise<"card" | "cancelled" | "failed"> {
    const patience = agenda.now() < CALM && random.chance(0.2) ? random.between(30, 200) : random.between(1, 25);
    const { promise, resolve } = Promise.withResolvers<"card" | "cancelled" | "failed">();
    agenda.after(patience * SECOND, () => resolve("card"));
    run.abort = () => resolve("cancelled");
    atReader = { sessionId, run, stop: resolve };
    const came = await promise;
    if (came === "card") run.cardIn = true;
    return came;
  }

  /** Charges a card, or holds an amount. A stray charge is a charge without a request. */
  function charge({ sessionId, message }: ArrivalOf<"payment">, run: Run, isStray: boolean): MadeCharge {
    const isOther = faultPlan.fault(0.03, "card charged another amount") || flaws.happens("charges another amount");
    const { tip, tipAmount } = drawTip(world, sessionId, {
      asked: run.tip,
      total: run.total,
      isPerfect: flaws.isPerfect || agenda.now() >= FAULTS_END,
    });
    const amount = isOther ? run.total + random.pick(run.total > 1 ? -1 : 1, 100) : run.total + tip;
    const made = {
      chargeId: world.newId(),
      amount,
      tipAmount: isOther ? undefined : tipAmount,
      currency: flaws.happens("charges another currency") ? "EUR" : message.currency,
      businessDay: world.businessDay(),
      voidsToFail: flaws.happens("fails to void for a while") ? random.pick(1, 2, 4, 5, 7) : 0,
      isVoided: false,
    };
    run.charges.push(made);
    ages.approved(made.chargeId);
    const discountIds = isOther ? [] : [...run.discountIds];
    ledger.charge({
      ...made,
      sessionId,
      discountIds,
      tip: isOther ? undefined : tip,
      taken: message.captureMode === "automatic" ? amount : 0,
      isStray,
    });
    return made;
  }

  function decide(arrival: ArrivalOf<"payment">, run: Run): Outcome {
    const drawn = random.pick("authorized", "authorized", "authorized", "authorized", "declined", "cancelled");
    const type = world.isLucky ? "authorized" : drawn;
    if (type !== "authorized") return { type, facts: {} };
    const made = charge(arrival, run, false);
    return approval(made, flaws.happens("leaves out the authorisation") ? undefined : made.chargeId);
  }

  /** Performs flawed actions after the end of a payment. */
  function goOn(arrival: ArrivalOf<"payment">, run: Run, reportOutcome: (outcome: Outcome) => void): void {
    const [made] = run.charges;
    const soon = () => random.between(0, random.pick(10 * SECOND, 3 * MINUTE, 40 * MINUTE));
    const later = (act: () => Outcome | undefined) =>
      agenda.after(soon(), () => {
        const outcome = memory.runs.get(arrival.sessionId) === run ? act() : undefined;
        if (outcome) reportOutcome(outcome);
      });
    const chargeAnother = (authorisation?: string) => {
      const another = charge(arrival, run, true);
      const { chargeId, amount, tipAmount, currency, businessDay } = another;
      if (arrival.message.captureMode === "automatic" && flaws.happens("reports a charge only by its capture"))
        return { type: "captured", facts: { chargeId, amount, tipAmount, currency, businessDay } } as const;
      const isLeftOut = flaws.happens("leaves out the authorisation");
      return approval(another, isLeftOut ? undefined : (authorisation ?? chargeId));
    };
    if (!made) {
      if (flaws.happens("charges a card after the end")) later(chargeAnother);
      return;
    }
    if (flaws.happens("charges a second card")) later(chargeAnother);
    if (flaws.happens("charges a second card under the same authorisation")) later(() => chargeAnother(made.chargeId));
    if (flaws.happens("reports a charge again with other details"))
      later(() => approval(made, random.pick(undefined, "other")));
    if (flaws.happens("captures without a request")) later(() => captureUnrequested(arrival, made));
    if (flaws.happens("refunds without a request")) later(() => refundUnrequested(arrival, made));
    if (afterAll.happens("gives a charge back without a request"))
      afterAll.later(() => {
        const outcome = memory.runs.get(arrival.sessionId) === run ? voidUnrequested(arrival, made, run) : undefined;
        if (outcome) reportOutcome(outcome);
      });
    if (afterAll.happens("captures without a request, and reports it late")) {
      const truth = captureUnrequested(arrival, made);
      made.voidsToFail += truth ? afterAll.refusedVoids() : 0;
      afterAll.late(() => {
        if (!truth || memory.runs.get(arrival.sessionId) !== run) return;
        run.latest = truth;
        reportOutcome(truth);
      });
    }
    // If the platform never got the first name, it cannot know that both names belong to one charge.
    if (run.latest?.facts.acquirer && flaws.happens("names a charge twice"))
      later(() =>
        world.lostTime.behind.has(arrival.sessionId) || ledger.isUnheard(arrival.sessionId)
          ? undefined
          : approval({ ...made, chargeId: world.newId() }, made.chargeId),
      );
  }

  /**
   * Hides the charge that the payment ended with. The terminal declines it although the card was charged, or reports for days that the
   * payment runs. Returns true if the payment does not continue as usual.
   */
  function hides({ sessionId, message }: ArrivalOf<"payment">, run: Run, report: (outcome: Outcome) => void): boolean {
    const { latest: truth, charges } = run;
    const [made] = charges;
    if (!truth || !made) return false;
    const showReport = () => {
      if (memory.runs.get(sessionId) !== run) return;
      run.isStuck = false;
      run.latest = truth;
      report(truth);
    };
    if (hidings.happens("reports a charge days later")) {
      made.voidsToFail = 0; // so that its reversal ends before the world does
      run.isStuck = true;
      hidings.later(showReport);
      return true;
    }
    const isTaken = message.captureMode === "automatic" && made.currency === message.currency;
    if (!isTaken || !hidings.happens("declines a charge that it made")) return false;
    ledger.hide({ sessionId, chargeId: made.chargeId }, { of: "charge", about: made.chargeId });
    made.voidsToFail = 0;
    run.latest = { type: "declined", facts: {} };
    report(run.latest);
    hidings.later(showReport);
    return true;
  }

  function captureUnrequested({ sessionId }: Arrival, { chargeId, amount, currency }: MadeCharge): Outcome | undefined {
    if (!ledger.captureUnrequested({ sessionId, chargeId })) return undefined;
    return { type: "captured", facts: { chargeId, amount, currency, businessDay: world.businessDay() } };
  }

  function voidUnrequested({ sessionId }: Arrival, made: MadeCharge, run: Run): Outcome | undefined {
    const { chargeId } = made;
    if (!ledger.voidUnrequested({ sessionId, chargeId })) return undefined;
    made.isVoided = true;
    run.latest = { type: "voided", facts: { chargeId, businessDay: world.businessDay() } };
    return run.latest;
  }

  function refundUnrequested({ sessionId }: Arrival, { chargeId, currency }: MadeCharge): Outcome | undefined {
    const refundId = world.newId();
    if (!ledger.refundUnrequested({ sessionId, chargeId }, refundId, 1)) return undefined;
    return { type: "refunded", facts: { refundId, amount: 1, currency, businessDay: world.businessDay() } };
  }

  return {
    async pay(arrival, reportOutcome) {
      const { sessionId, message } = arrival;
      checkQuestion(world, terminalId, message.tip, message.amount);
      const run = newRun(message.amount, message.tip);
      memory.runs.set(sessionId, run);
      ledger.begin(sessionId);
      reportOutcome({ type: "accepted", facts: {} });
      const came = await waitForCard(sessionId, run);
      if (came === "card") await agenda.sleep(random.between(1, 6) * SECOND);
      if (memory.runs.get(sessionId) !== run) {
        // The power was cut, and the memory lost. The acquirer may have the charge nevertheless.
        if (came === "card" && random.chance(0.5)) charge(arrival, run, true);
        return;
      }
      run.latest = came === "card" ? decide(arrival, run) : { type: came, facts: {} };
      if (atReader?.run === run) atReader = undefined;
      ledger.end(sessionId);
      run.isStuck = flaws.happens("reports for ever that it runs");
      if (run.isStuck || hides(arrival, run, reportOutcome)) return;
      reportOutcome(run.latest);
      goOn(arrival, run, reportOutcome);
    },
    isFreeFor(sessionId) {
      if (!atReader) return true;
      if (ledger.isMisjudged(atReader.sessionId) || world.lostTime.sessions.has(atReader.sessionId)) return false;
      world.violate("two sessions at one card reader", sessionId);
      return true;
    },
    restart() {
      atReader?.stop("failed");
      if (memory.runs.size === 0) atReader = undefined;
    },
  };
}

/** The approval has the same content in every report, except for flaws. */
const approval = (
  { chargeId, amount, tipAmount, currency, businessDay }: MadeCharge,
  authorisation: string | undefined,
): Outcome => {
  const acquirer = authorisation === undefined ? undefined : { authorisationCode: authorisation, rrn: APPROVAL_RRN };
  const facts: Facts = { chargeId, amount, tipAmount, currency, businessDay, acquirer };
  return { type: "authorized", facts };
};

export const isPayment = (arrival: Arrival): arrival is ArrivalOf<"payment"> => arrival.message.type === "payment";
