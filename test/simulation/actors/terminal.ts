import { ok } from "../../../shared/domain/result.ts";
import type { PaymentState } from "../../../shared/domain/payment/record/payment.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { saidBy } from "../../../shared/domain/payment/record/said.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import { keepOrphanReport, reusedBy } from "../../../shared/use-cases/alerts/keep-orphan-report.ts";
import { requeryAfterRestart } from "../../../shared/use-cases/payments/requery-after-restart.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { acknowledgeActionResponse } from "../../../shared/use-cases/terminals/acknowledge-action-response.ts";
import type { TerminalCall } from "../../../shared/use-cases/caller.ts";
import { aCall, callFrom } from "../../support/calls.ts";
import type { Http } from "../platform/http.ts";
import type { Deps, Platform } from "../platform/platform.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import { referenceOf } from "../world/references.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import { createCardReader, isPayment } from "./card-reader.ts";
import { createChargeMoves, isMove } from "./charge-moves.ts";
import { createContradictions, type Contradictions } from "./contradictions.ts";
import type { Flaws } from "./flaws.ts";
import { absencesOf } from "./absences.ts";
import { drawAfterAll } from "./after-all.ts";
import { drawAges, type Ages } from "./ages.ts";
import { watchDone } from "./done-already.ts";
import { drawHabits } from "./habits.ts";
import { drawHidings } from "./hidings.ts";
import { drawTerminalFaults } from "./terminal-faults.ts";
import { startPolls } from "./terminal-polls.ts";
import type { Waits } from "./waits.ts";
import { createOutbox } from "./outbox.ts";
import { drawReportNames } from "./report-names.ts";
import { checkQuestion } from "./tips.ts";
import { asRead, membersOf, type SaidOfSession } from "./wire.ts";
import {
  emptyMemory,
  forget,
  type Arrival,
  type ArrivalOf,
  type Run,
  type TerminalMemory,
  type Outcome,
} from "./terminal-memory.ts";

/** A reported start, and the session that was under way at the terminal before and after the platform took the report. */
interface StartHeard {
  readonly reportId: string;
  readonly sessionId: string;
}
const isUnderWay = (state: PaymentState | undefined): boolean =>
  state === "inProgress" || state === "cancelRequested" || state === "reconciling";

export interface TerminalDevice {
  readonly terminal: Terminal;
  readonly memory: TerminalMemory;
  /** Whether the terminal becomes silent forever at some moment. */
  readonly diesForEver: boolean;
  /** Switches the terminal off for these milliseconds. It comes back as it was. */
  beAway(ms: number): void;
  /** All its reports about payments, by identifier. */
  readonly reports: ReadonlyMap<string, Report>;
  readonly contradictions: Contradictions;
  /** Reports of a failure that name no message, or a wrong one. They may end a later try. */
  readonly namelessFailures: ReadonlySet<string>;
  /**
   * Whether the terminal has this session under way, or an unsent report about it. A terminal that is silent forever sends no more reports.
   */
  isBusyWith(sessionId: string): boolean;
  /** Whether it reported a start with a lost memory. */
  hasSaidLost(): boolean;
  /** The starts that the platform recorded while a payment was under way. */
  readonly starts: readonly StartHeard[];
  /** Whether its reports name the business days on which money moved. */
  readonly namesDays: boolean;
  readonly ages: Ages;
  /** The ends of its action requests, as messages reported them: by action request and message. */
  readonly endings: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Surroundings {
  readonly platform: Platform;
  readonly http: Http;
  readonly ledger: CardLedger;
  readonly flaws: Flaws;
  readonly waits: Waits;
  /** Whether the platform is restored from an export in this world. */
  readonly isRestored: boolean;
}

/**
 * A terminal that fulfils its duties under all faults. It obeys each message once and answers a repeat with the first result. It refuses a
 * payment that expired, was cancelled, or that it reported as not started. It remembers all that through restarts. Its flaws are the
 * exceptions. Some terminals do not name the message that they answer, or name a wrong one, and a few contradict themselves.
 */
export function startTerminal(
  world: World,
  { platform, http, ledger, flaws, waits, isRestored }: Surroundings,
  terminal: Terminal,
): TerminalDevice {
  const { agenda, random, faultPlan } = world;
  const { terminalId } = terminal;
  const memory = emptyMemory();
  const said = new Map<string, Report>();
  const namelessFailures = new Set<string>();
  const starts: StartHeard[] = [];
  let saidLost = false;
  const endings = new Map<string, ReadonlyMap<string, string>>();
  const hidings = drawHidings(world, flaws, { terminalId, isRestored });
  const names = drawReportNames(world, flaws, ledger, { terminalId, isRestored });
  const done = watchDone(world, platform, terminal);
  const afterAll = drawAfterAll(world, flaws, terminalId);
  const ages = drawAges(world, terminalId);
  const reader = createCardReader(world, { ledger, memory, flaws, hidings, afterAll, ages, terminalId });
  const move = createChargeMoves(world, { ledger, memory, flaws, waits, hidings, afterAll });
  const habits = drawHabits(world, world.fateOf(terminalId));
  const faults = drawTerminalFaults(world, terminalId, () => {
    const isLost = flaws.happens("loses its memory");
    if (isLost) {
      world.trace?.(terminalId, "loses its memory");
      for (const sessionId of forget(memory)) ledger.forget(sessionId);
    }
    ages.cutPower();
    reader.restart();
    // Most terminals know that their memory is lost.
    const said = isLost && world.quirks.chance(0.7) ? "lost" : "kept";
    if (said === "lost") saidLost = true;
    send({ startedAs: world.newId(), memory: said });
  });
  for (const { from, lasts } of absencesOf(world, waits, terminalId)) agenda.after(from, () => faults.beAway(lasts));
  const send = createOutbox(world, memory.outbox, faults.audible, (report) => {
    if ("report" in report) {
      const agoMs = ages.of(report.report);
      const aged = { ...report, report: { ...report.report, agoMs } };
      return http({ name: `${terminalId} reports ${report.report.type}` }, (deps) => record(deps, aged));
    }
    if ("answerOf" in report)
      return http({ name: `${terminalId} has the answer of ${report.answerOf}` }, async (deps) => {
        await acknowledgeActionResponse(deps, terminalId, report.answerOf);
        return ok("recorded");
      });
    return http({ name: `${terminalId} reports its start` }, async (deps) => {
      const call = await authenticated(deps);
      const { holder } = await platform.ports.terminals.findClaim(terminalId);
      const held = holder && { ...holder, terminalId, partnerId: call.caller.terminal.partnerId };
      const stateOfHeld = async () => held && (await platform.ports.payments.find(held))?.payment.status;
      const before = await stateOfHeld();
      await requeryAfterRestart(deps, call, { reportId: report.startedAs, memory: report.memory });
      if (held && isUnderWay(before) && before === (await stateOfHeld()))
        starts.push({ reportId: report.startedAs, sessionId: held.sessionId });
      return ok("recorded");
    });
  });

  /** Handles a report as the endpoint does. */
  async function record(deps: Deps, said: SaidOfSession) {
    const { businessDay } = said.report;
    const named = { ...said, report: { ...said.report, businessDay: habits.dayOf(businessDay) } };
    const read = asRead(named, habits.inCapitals);
    if (!read) throw new Error(`the contract refuses ${JSON.stringify(said)}`);
    const call = callFrom(deps, terminal);
    const recorded = await recordReport(settlingAfterCommit(deps, read), call, read.sessionId, read.report);
    done.heard(read.sessionId, read.report.reportId);
    const before = recorded.ok ? recorded.value.before : undefined;
    if (before) await keepOrphanReport(deps, call, membersOf(named), reusedBy(before, saidBy(read.report)));
    return recorded;
  }

  /** A message is concluded only after its report is stored, because a process may die between the two. */
  const settlingAfterCommit = (deps: Deps, { sessionId, report }: SaidOfSession): Deps => ({
    ...deps,
    inboxes: {
      ...deps.inboxes,
      async remove(id, rows) {
        const key = { partnerId: terminal.partnerId, terminalId: terminal.terminalId, sessionId };
        if (rows.length > 0 && !(await platform.ports.payments.findReport(key, report.reportId)))
          world.violate("a message was concluded before its report was stored", `${sessionId} ${report.type}`);
        return deps.inboxes.remove(id, rows);
      },
    },
  });

  const contradictions = createContradictions(world, send);

  const reportOutcome = (arrival: Arrival, outcome: Outcome) => {
    const [{ sessionId, messageId }, { type, facts }] = [arrival, outcome];
    world.trace?.(terminalId, `says ${type} of ${sessionId} (${messageId})`);
    // An acknowledgement concludes only the message that it names. So does an answer to the query of a restore.
    const { message } = arrival;
    const isNamed = type === "acknowledged" || (message.type === "statusQuery" && message.first === true);
    const habitual = isNamed ? messageId : habits.nameOf(messageId, memory.begun.get(sessionId));
    const named = names.otherMessage(arrival, outcome) ?? habitual;
    // An outcome keeps its original day, even in a late report.
    if (movesMoney.has(type)) Object.assign(facts, { businessDay: facts.businessDay ?? world.businessDay() });
    const reportId = names.nextId(sessionId, type);
    const report = { sessionId, report: { ...withReference(outcome), reportId, type, messageId: named } };
    const isNew = !said.has(report.report.reportId);
    if (isNew) said.set(report.report.reportId, report.report);
    if (isNew && isFailure(type) && named !== messageId) {
      namelessFailures.add(report.report.reportId);
      const run = memory.runs.get(sessionId);
      if (run) run.isMisunderstood = true;
    }
    memory.answers.get(messageId)?.push(report);
    send(report);
    // Repeats the same failure in another report, long afterwards. It names its message, so it must not end a later try.
    if (isFailure(type) && named === messageId && world.quirks.chance(0.3)) {
      const again = { sessionId, report: { ...report.report, reportId: world.newId() } };
      agenda.after(
        world.quirks.between(0, world.quirks.pick(1, 5, 20) * MINUTE),
        () => void (memory.answers.has(messageId) && send(again)),
      );
    }
  };

  async function obey(arrival: Arrival): Promise<void> {
    const { messageId, message } = arrival;
    if (message.type === "actionAnswer") {
      const answerOf = message.actionRequestId.toLowerCase();
      endings.set(answerOf, new Map(endings.get(answerOf)).set(messageId, message.responseCode));
      return send({ answerOf });
    }
    const answers = memory.answers.get(arrival.messageId);
    if (answers) return answers.forEach(send);
    memory.answers.set(arrival.messageId, []);
    if (faultPlan.fault(0.02, "power cut at work"))
      agenda.after(random.between(0, random.pick(10, 1_000, 30_000)), faults.cutPower);
    world.trace?.(terminalId, `gets ${arrival.message.type} of ${arrival.sessionId} (${arrival.messageId})`);
    if (isPayment(arrival)) return begin(arrival);
    const outcome = answerTo(arrival, (truth) => reportOutcome(arrival, truth));
    if (outcome.type === "notStarted") memory.refused.add(arrival.sessionId);
    if (!isMove(arrival.message)) return reportOutcome(arrival, outcome);
    const isSlow = flaws.happens("reports an action long afterwards");
    const mayBeSlow = arrival.message.type !== "void" && !flaws.isPerfect;
    const after = isSlow ? random.pick(5, 20, 40) * MINUTE : mayBeSlow ? waits.answersAfter() : undefined;
    if (after === undefined) return reportOutcome(arrival, outcome);
    const given = memory.answers.get(arrival.messageId);
    agenda.after(after, () => {
      if (memory.answers.get(arrival.messageId) === given) reportOutcome(arrival, outcome);
    });
  }

  async function begin(arrival: ArrivalOf<"payment">): Promise<void> {
    const ran = memory.runs.get(arrival.sessionId);
    // A session begins only once, even if another message requests it again.
    if (ran) return reportOutcome(arrival, tellable(ran) ?? { type: "stillRunning", facts: {} });
    const got = agenda.now();
    const answers = memory.answers.get(arrival.messageId);
    const isForgotten = () => memory.answers.get(arrival.messageId) !== answers;
    memory.begun.set(arrival.sessionId, arrival.messageId);
    if (faultPlan.fault(0.2, "terminal begins late")) await agenda.sleep(random.between(0, 40) * SECOND);
    if (isForgotten()) return;
    const tooLate = agenda.now() - got >= arrival.expiresInMs;
    const isFree = reader.isFreeFor(arrival.sessionId);
    if (tooLate || !isFree || memory.refused.has(arrival.sessionId)) {
      memory.refused.add(arrival.sessionId);
      return reportOutcome(arrival, notStarted);
    }
    void reader.pay(arrival, (outcome) => {
      if (isForgotten()) return;
      reportOutcome(arrival, outcome);
      contradictions.about(arrival.sessionId);
    });
  }

  const isEvasive = (run: Run | undefined): boolean =>
    run?.latest?.type === "captureFailed" && !flaws.isPerfect && waits.isEvasive();

  function answerTo(arrival: Arrival, reportLater: (outcome: Outcome) => void): Outcome {
    const { message, sessionId } = arrival;
    if (isMove(message)) return move({ ...arrival, message }, reportLater);
    const run = memory.runs.get(sessionId);
    switch (message.type) {
      case "cancel":
        memory.refused.add(sessionId);
        if (run && !run.latest && !run.cardIn) run.abort();
        return run ? (tellable(run) ?? { type: "acknowledged", facts: {} }) : notStarted;
      case "statusQuery":
        if (message.refundId !== undefined) return refundOf(run, message.refundId.toLowerCase());
        if (message.first !== true && isEvasive(run)) return { type: "stillRunning", facts: {} };
        return run ? (tellable(run) ?? { type: "stillRunning", facts: {} }) : notStarted;
      case "discount": {
        const facts = { discountId: message.discountId };
        if (!run || run.latest || run.cardIn) return { type: "discountRefused", facts };
        checkQuestion(world, terminalId, message.tip, message.newTotal);
        run.total = message.newTotal;
        run.tip = message.tip;
        run.discountIds.push(message.discountId.toLowerCase());
        return { type: "discountApplied", facts };
      }
      default:
        return { type: "acknowledged", facts: {} };
    }
  }

  /** Authenticates the terminal as the endpoint does for each call. */
  async function authenticated(deps: Deps): Promise<TerminalCall> {
    const known = await deps.terminals.findKey(terminalId);
    if (!known) throw new Error("the terminal is gone");
    return { ...aCall(deps), caller: { terminal: known } };
  }

  function isBusyWith(sessionId: string): boolean {
    const [run, begun] = [memory.runs.get(sessionId), memory.begun.get(sessionId)];
    const isRunning = run ? run.latest === undefined : begun !== undefined && memory.answers.get(begun)?.length === 0;
    const isReporting = memory.outbox.some((report) => "sessionId" in report && report.sessionId === sessionId);
    return isRunning || (isReporting && !faults.isGone());
  }

  startPolls(world, { platform, http }, { terminalId, memory, habits, faults, done, authenticated, obey });
  return {
    terminal,
    memory,
    diesForEver: faults.diesForEver,
    beAway: faults.beAway,
    reports: said,
    contradictions,
    namelessFailures,
    isBusyWith,
    endings,
    starts,
    namesDays: habits.namesDays,
    ages,
    hasSaidLost: () => saidLost,
  };
}

const movesMoney: ReadonlySet<string> = new Set(["authorized", "captured", "voided", "refunded"]);
const isFailure = (type: string): boolean => type === "captureFailed" || type === "voidFailed";
const tellable = ({ latest, isStuck }: Run): Outcome | undefined => (isStuck ? undefined : latest);
/** The facts with the acquirer's reference of a movement. Every report of it has the same one. */
function withReference({ type, facts }: Outcome): Outcome["facts"] {
  const of = facts.refundId ?? facts.chargeId;
  const rrn = of === undefined ? undefined : referenceOf(type, of);
  return facts.acquirer || rrn === undefined ? facts : { ...facts, acquirer: { rrn } };
}

const notStarted: Outcome = { type: "notStarted", facts: {} };
const refundOf = (run: Run | undefined, refundId: string): Outcome =>
  run?.refunds.get(refundId) ?? { type: "refundFailed", facts: { refundId } };
