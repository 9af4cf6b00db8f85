import { standardTimings } from "../../../shared/domain/timings.ts";
import { after, msBetween, type Instant } from "../../../shared/domain/time.ts";
import type { Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { DAY, FAULTS_END, HOUR, instantAt, MINUTE, msAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Fetches } from "./inboxes.ts";
import type { Session } from "./snapshot.ts";

const { outcomeSeconds, authorizationSeconds } = standardTimings;
const SHORTEST_WAIT = 60;
const LONGEST_UNNAMED = 600;
const LONGEST_REFUND_WAIT = 7 * 24 * 3600;
const LONGEST_PAUSE = 6 * HOUR;
/** The time that faults may take from a look: a dependency is away, or a worker freezes. */
const SLACK = 30 * MINUTE;

/** Captures and refunds wait for their terminal until the agreed end, can be taken back until they are fetched, and are then looked at. */
export function checkWaits(
  world: World,
  session: Session,
  { fetched, ledger }: { readonly fetched: Fetches; readonly ledger: CardLedger },
): void {
  checkEnds(world, session);
  checkTakenBack(world, session, fetched);
  checkNeverMade(world, session, ledger);
  checkVoids(world, session);
  checkFetched(world, session, fetched);
  checkCalls(world, session, fetched);
}

/** A wait is not longer than its authorization or its kind allows. Only a named refund waits for long. */
function checkEnds(world: World, { payment, plan }: Session): void {
  if (!payment) return;
  const { captureWaits, charges, refunds } = payment;
  const authorized = charges.map(({ createdAt }) => createdAt).toSorted();
  if (captureWaits && authorized.length > 0) {
    const { since, until } = captureWaits;
    const most = [after(authorized.at(-1) ?? since, authorizationSeconds), after(since, SHORTEST_WAIT)]
      .toSorted()
      .at(-1);
    if (most !== undefined && until > most)
      world.violate("a capture waits for longer than its authorization lasts", `${plan.sessionId} ${until}`);
  }
  for (const { refundId, names, createdAt, deliverBefore = createdAt } of refunds) {
    const seconds = msBetween(createdAt, deliverBefore) / 1000;
    if (seconds > (names.length > 0 ? LONGEST_REFUND_WAIT : LONGEST_UNNAMED))
      world.violate("a refund waits for too long", `${plan.sessionId} ${refundId}: ${seconds} s`);
  }
}

/** A message that left the inbox by a decision was never handed out. */
function checkTakenBack(world: World, { payment, history, plan }: Session, fetched: Fetches): void {
  if (!payment) return;
  const { sessionId } = plan;
  const { faultPlan, lostTime } = world;
  for (const { refundId, commandId, statusReason } of payment.refunds) {
    if (statusReason === "notDelivered") faultPlan.meet("wait ended unfetched");
    const isTaken = statusReason === "cancelledByPartner" || statusReason === "notDelivered";
    if (isTaken && fetched.has(commandId) && !lostTime.behind.has(sessionId))
      world.violate("a refund was handed out, although it left the inbox", `${sessionId} ${refundId}`);
  }
  for (const { capture, end } of capturesOf(history)) {
    if (end?.event === "withdrawnByCancel") faultPlan.meet("capture withdrawn by a cancel");
    if (end?.event === "messageWithdrawn") faultPlan.meet("wait ended unfetched");
    const isTaken = end?.event === "withdrawnByCancel" || end?.event === "messageWithdrawn";
    if (isTaken && fetched.has(capture.commandId ?? "") && !lostTime.behind.has(sessionId))
      world.violate("a capture was handed out, although it left the inbox", `${sessionId} ${capture.sequence}`);
  }
}

/**
 * A withdrawal was confirmed to the partner, so no card gets the money. After a restore that lost the withdrawal, the refund is not handed
 * out by itself. Only a new request of the partner may make it.
 */
function checkNeverMade(world: World, { plan, payment }: Session, ledger: CardLedger): void {
  const { sessionId, known } = plan;
  const isBehind = world.lostTime.behind.has(sessionId);
  for (const [refundId, { isWantedAgain }] of known.withdrawn) {
    const refund = payment?.refunds.find((one) => one.refundId === refundId);
    if (isBehind && refund && refund.statusReason !== "cancelledByPartner")
      world.faultPlan.meet("withdrawn refund brought back by a restore");
    const isMade = ledger.moves.some((one) => one.sessionId === sessionId && one.refundId === refundId);
    if (isMade && !(isBehind && isWantedAgain))
      world.violate("a withdrawn refund was made", `${sessionId} ${refundId}`);
  }
}

/**
 * No sale that the partner asked to capture is given back for want of a capture. The exception: its last capture failed, and its terminal
 * answered afterwards that it still holds the authorization.
 */
function checkVoids(world: World, { plan, history }: Session): void {
  for (const [i, { event, from, to, reason }] of history.entries()) {
    const before = history.slice(0, i);
    const isAsked = before.some((one) => one.event === "capture" && !one.recordedOnly);
    if (event === "captureOverdue" && from === to && isAsked)
      world.faultPlan.meet(
        lastStepOf(before)?.event === "captureFailed"
          ? "authorization asked before its void"
          : "undelivered capture calls an operator",
      );
    if (from !== "authorized" || to !== "voidRequested" || reason !== "notCaptured" || !isAsked) continue;
    const asking = before.findLastIndex((one) => one.event === "captureOverdue");
    const last = lastStepOf(before.slice(0, Math.max(0, asking)));
    const isHeld = event === "authorized" || event === "captureFailed";
    if (!isHeld || last?.event !== "captureFailed")
      world.violate("a sale that the partner asked to capture was given back", `${plan.sessionId} ${event}`);
  }
}

const lastStepOf = (history: readonly RecordedEntry[]): RecordedEntry | undefined =>
  history.findLast(({ event, from, to }) => event === "capture" || from !== to);

/** A capture, and the change that ended it or put it in doubt. */
interface Captured {
  readonly capture: RecordedEntry;
  readonly end: RecordedEntry | undefined;
}

function capturesOf(history: readonly RecordedEntry[]): readonly Captured[] {
  return history.flatMap((capture, i) => {
    if (capture.event !== "capture" || capture.recordedOnly || capture.to !== "captureRequested") return [];
    const end = history.slice(i + 1).find(({ from, to, event }) => from !== to || isDoubt(event));
    return [{ capture, end }];
  });
}

const doubts: ReadonlySet<RecordedEntry["event"]> = new Set(["outcomeOverdue", "forgot", "restored"]);
const isDoubt = (event: RecordedEntry["event"]): boolean => doubts.has(event);

/**
 * A message that was fetched is answered, or in doubt in time: a look comes when an answer is overdue, or one pause later. A pause is at
 * most as long as the message had waited, and at most six hours.
 */
function checkFetched(world: World, session: Session, fetched: Fetches): void {
  const { payment, history, plan } = session;
  if (!payment) return;
  const begun = [
    ...capturesOf(history).map(({ capture, end }) => ({
      name: "capture",
      id: capture.commandId,
      since: capture.at,
      end: end?.at,
    })),
    ...payment.refunds.map((refund) => ({
      name: refund.refundId,
      id: refund.commandId,
      since: refund.createdAt,
      end: endOf(refund, history),
    })),
  ];
  for (const { name, id = "", since, end } of begun) {
    const fetchedAt = fetched.get(id);
    if (fetchedAt === undefined) continue;
    const waited = fetchedAt - msAt(since);
    if (waited > DAY) world.faultPlan.meet("message waited for days");
    else if (waited > HOUR) world.faultPlan.meet("message waited for hours");
    if (world.lostTime.behind.has(plan.sessionId)) continue;
    if ((end ?? instantAt(world.agenda.now())) > latestDoubt(world, since, fetchedAt))
      world.violate("a fetched message is not in doubt in time", `${plan.sessionId} ${name} ${end ?? "never"}`);
  }
}

/** An operator hears of a capture that waits for longer than a day and a pause. */
function checkCalls(world: World, { plan, history, alerts }: Session, fetched: Fetches): void {
  if (world.lostTime.behind.has(plan.sessionId)) return;
  const isCalled = alerts.some(({ kind, causes }) => kind === "captureWaits" && causes.length > 0);
  if (isCalled) world.faultPlan.meet("operator hears of a capture that waits");
  for (const { capture, end } of capturesOf(history)) {
    const over = Math.min(
      fetched.get(capture.commandId ?? "") ?? Infinity,
      end ? msAt(end.at) : Infinity,
      world.agenda.now(),
    );
    if (!isCalled && over - msAt(capture.at) > DAY + LONGEST_PAUSE + SLACK + 2 * world.faultPlan.wrongestClock)
      world.violate("nobody hears of a capture that waits", `${plan.sessionId} ${capture.sequence}`);
  }
}

function latestDoubt({ faultPlan }: World, since: Instant, fetchedAt: number): Instant {
  const overdue = Math.max(fetchedAt, FAULTS_END + MINUTE) + outcomeSeconds * SECOND;
  const pause = Math.min(LONGEST_PAUSE, Math.max(0, overdue - msAt(since)));
  return instantAt(overdue + pause + SLACK + 2 * faultPlan.wrongestClock);
}

/** The first change that ended the refund or put it in doubt. The entry of a doubt does not name its refund. */
function endOf({ refundId, sequence }: Refund, history: readonly RecordedEntry[]): Instant | undefined {
  const isAbout = ({ event, said, by, from, to }: RecordedEntry): boolean =>
    said?.refundId?.toLowerCase() === refundId ||
    by === "operator" ||
    (isDoubt(event) && from === to) ||
    event === "refundFailed" ||
    (event === "refunded" && said?.refundId === undefined);
  return history.find((one) => one.sequence > sequence && isAbout(one))?.at;
}
