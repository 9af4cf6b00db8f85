import { drain } from "./actors/drain.ts";
import { createCardLedger } from "./actors/card-ledger.ts";
import { drawFlaws } from "./actors/flaws.ts";
import { startOperator } from "./actors/operator.ts";
import { startOutsideRefunds } from "./actors/outside-refunds.ts";
import { startAccountants } from "./actors/accountant.ts";
import { startFeedReaders } from "./actors/feed-readers.ts";
import { startLateChanges } from "./actors/late-changes.ts";
import { startLateLife } from "./actors/late-life.ts";
import { drawKeys } from "./actors/keys.ts";
import { startKeyPurges } from "./actors/key-purges.ts";
import { startListReaders } from "./actors/list-readers.ts";
import { createPartner } from "./actors/partner.ts";
import { drawCast, setUp } from "./actors/cast.ts";
import { startDayClosings } from "./actors/day-closings.ts";
import { drawWaits } from "./actors/waits.ts";
import { createClient } from "./actors/client.ts";
import { createPlan, checkedOrder, type Plan } from "./actors/plan.ts";
import { pages, startCustomers } from "./actors/customers.ts";
import { startQuestions } from "./actors/questions.ts";
import { startRestore } from "./actors/restore.ts";
import { startStranger } from "./actors/stranger.ts";
import { startSweeper } from "./actors/sweeper.ts";
import { startTerminal } from "./actors/terminal.ts";
import { checkActions } from "./invariants/actions.ts";
import { checkAlerts } from "./invariants/alerts.ts";
import { checkBookings } from "./invariants/bookings.ts";
import { checkBareAlerts } from "./invariants/bare-alerts.ts";
import { checkCards } from "./invariants/cards.ts";
import { checkCaptures } from "./invariants/captures.ts";
import { checkClaims, watchClaims } from "./platform/claims.ts";
import { checkContradictions } from "./invariants/contradictions.ts";
import { checkDeadlines, checkDoubts, checkLooks } from "./invariants/deadlines.ts";
import { checkDiscounts } from "./invariants/discounts.ts";
import { checkEffects } from "./invariants/effects.ts";
import { checkEndings } from "./invariants/endings.ts";
import { createExcuses } from "./invariants/excuses.ts";
import { checkFeeds, watchFeeds } from "./invariants/feed.ts";
import { checkTerminalDays } from "./invariants/terminal-days.ts";
import { hiddenByTerminals } from "./invariants/hidden.ts";
import { checkHistory } from "./invariants/history.ts";
import { checkKeys } from "./invariants/keys.ts";
import { checkFiled, checkWithdrawn, watchFetches } from "./invariants/inboxes.ts";
import { checkMarks } from "./invariants/marks.ts";
import { takeSnapshot, otherCommands } from "./invariants/snapshot.ts";
import { checkMended } from "./invariants/mended.ts";
import { checkOrders } from "./invariants/orders.ts";
import { checkPaymentLists } from "./invariants/payment-list.ts";
import { checkLateApprovals } from "./invariants/late-approvals.ts";
import { checkPromises } from "./invariants/promises.ts";
import { checkQuiet } from "./invariants/quiet.ts";
import { checkPartnerView } from "./invariants/partner-view.ts";
import { checkTokens } from "./invariants/tokens.ts";
import { watchSituations } from "./invariants/situations.ts";
import { checkStarts } from "./invariants/starts.ts";
import { checkWaits } from "./invariants/waits.ts";
import { checkWebhooks } from "./invariants/webhooks.ts";
import { checkResolved } from "./invariants/resolved.ts";
import { checkVoucher } from "./invariants/vouchers.ts";
import { checkReferences } from "./invariants/references.ts";
import { checkRefunds } from "./invariants/refunds.ts";
import { createHttp } from "./platform/http.ts";
import { watchBooks } from "./platform/books.ts";
import { watchKeys } from "./platform/keys.ts";
import { watchMarks } from "./platform/marks.ts";
import { createPlatform } from "./platform/platform.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { createWorld, type Violation } from "./world/world.ts";

/** The probability that the platform is restored from an export. */
const RESTORED = 0.05;

/**
 * The limit that ends an endless run. A usual seed has some thousands of events. In a rough seed the tables are away twice for minutes, and
 * copies of messages multiply at each try. It has more than two hundred thousand.
 */
const MAX_EVENTS = 600_000;

export interface Simulated {
  readonly violations: readonly Violation[];
  /** The payments by their final state, counted. */
  readonly endings: Readonly<Record<string, number>>;
  /** The alerts by kind, counted. */
  readonly alerts: Readonly<Record<string, number>>;
  /** The problems at the end that are not the platform's fault, counted by cause. */
  readonly excuses: Readonly<Record<string, number>>;
  /** The situations of payments that were reached. */
  readonly situations: readonly string[];
  /** Holds without a message that are left in inboxes at the end. */
  readonly leftovers: number;
  /** The faults of this world, counted by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Runs one seed's world and checks the platform's promises. `write` gets the lines of its trace. */
export async function simulate(
  seed: number,
  {
    write,
    isRestored,
    days,
  }: {
    readonly write?: ((line: string) => void) | undefined;
    readonly isRestored?: boolean;
    readonly days?: number | undefined;
  } = {},
): Promise<Simulated> {
  const world = createWorld(seed, write, days);
  // A separate generator, so that a world without a restore is unchanged.
  const fates = seededRandom(seed ^ 0x5bd1e995);
  const restores = fates.chance(RESTORED) || isRestored === true;
  const { agenda, random } = world;
  const platform = createPlatform(world);
  const http = createHttp(world, platform);
  const cast = drawCast(world);
  const plans: Plan[] = [];
  const ledger = createCardLedger(world, (sessionId) => checkedOrder(plans, sessionId));
  const flaws = drawFlaws(world);
  const client = createClient(world, http);
  const keys = drawKeys(world, restores);
  const waits = drawWaits(world);
  const partner = createPartner(world, client, { ...cast, platform, keys, waits, plans });
  const tryAsStranger = startStranger(world, client, cast);
  for (const { what, from, to } of world.faultPlan.outages) world.trace?.("outage", `${what} from ${from} to ${to} ms`);

  await setUp(world, platform, cast);
  const readers = await startFeedReaders(world, { platform, http, ...cast });
  const devices = cast.terminals.map((terminal) =>
    startTerminal(world, { platform, http, ledger, flaws, waits, isRestored: restores }, terminal),
  );
  for (let i = random.between(2, 4); i > 0; i--) {
    const orderId = random.chance(0.6) ? "order" : undefined;
    const [terminal, price] = [random.pick(...cast.terminals), random.pick(...cast.prices)];
    const idempotencyKey = keys.ofSale(terminal.partnerId);
    const plan = createPlan(world, { sessionId: `s${i}`, terminal, price, orderId, idempotencyKey });
    plans.push(plan);
    partner.carryThrough(plan);
    tryAsStranger(plan);
  }

  const closed = startAccountants(world, platform, http, cast.partnerIds);
  const { ports, timings } = platform;
  const operator = startOperator(world, { http, ports, timings, ledger, flaws, plans, devices });
  // Restored worlds have neither action requests nor token requests, because their losses of these are not checked.
  const questions = restores ? [] : startQuestions(world, client, { plans, keys });
  const asks = restores ? [] : startCustomers(world, client);
  const books = watchBooks(world, platform);
  const watched = watchKeys(world, platform);
  if (restores) {
    const look = (plan: Plan) => takeSnapshot(platform, plan);
    void startRestore(world, fates, { look, platform, http, ledger, partner, plans, devices, books, watched, closed });
  }

  // The days of a restored world are not checked, because the losses of their books are not known.
  const closings = restores
    ? []
    : startDayClosings(world, seededRandom(seed ^ 0x2545f491), { client, ledger, plans, devices });

  if (!restores) startLateLife(world, partner, { ...cast, plans, keys });
  startLateChanges(world, partner, waits, plans);
  if (!restores) startOutsideRefunds(world, { http, ports, ledger, plans });
  if (!restores) startListReaders(world, platform, { ...cast, plans });
  drain(world, partner, { plans, devices, price: cast.prices[0], ledger });
  watchMarks(world, platform);
  watchClaims(world, platform);
  const fetched = watchFetches(world, platform);
  const situations = watchSituations(platform);
  watchFeeds(world, platform, { ...cast, pages, plans });
  startSweeper(world, platform, http);
  startKeyPurges(world, http, keys);
  const ending = await agenda.run({ until: world.end, events: MAX_EVENTS });
  const sessions = await Promise.all(plans.map((plan) => takeSnapshot(platform, plan)));
  const endings: Record<string, number> = {};
  const alerts: Record<string, number> = {};
  const count = (counts: Record<string, number>, name: string) => (counts[name] = (counts[name] ?? 0) + 1);
  const hidden = await hiddenByTerminals(world, { platform, ledger, plans, devices, closings });
  const excuses = createExcuses(world, { ledger, devices, hidden });
  for (const session of sessions) {
    const device = devices.find((d) => d.terminal.terminalId === session.plan.request.terminalId);
    checkPromises(world, session);
    checkLateApprovals(world, session, device?.ages);
    checkEndings(world, session, { excuses, ending });
    checkRefunds(world, session, ledger);
    checkCards(session, ledger, excuses);
    checkMended(world, session, { operator, ledger, devices, hidden });
    for (const kind of checkHistory(world, session, { flaws, device })) count(alerts, kind);
    checkWebhooks(world, session);
    checkPartnerView(world, session);
    checkDiscounts(world, session, { voucher: cast.voucher, ending, ledger });
    checkCaptures(world, session);
    checkDeadlines(world, session, ledger);
    checkWithdrawn(world, session, fetched);
    checkWaits(world, session, { fetched, ledger });
    checkDoubts(world, session);
    checkReferences(world, session);
    checkStarts(world, session, device);
    checkContradictions(world, session);
    if (!session.plan.isCalm) count(endings, session.payment?.status ?? "absent");
  }
  const commands = [...sessions.flatMap((s) => s.commands), ...(await otherCommands(platform, { ...cast, pages }))];
  checkEffects(world, commands, { platform, devices, feedOnly: cast.feedOnly, ending });
  await books.check();
  await checkBookings(world, sessions, platform, { ledger, devices, closed });
  await checkFeeds(world, platform, { ...cast, sessions, commands, readers });
  await checkPaymentLists(world, sessions, { platform, ...cast });
  await checkFiled(world, commands, platform);
  await checkTokens(world, asks, platform, ending);
  await checkActions(world, questions, platform, { devices, ending });
  await checkAlerts(world, { sessions, commands }, platform, ending);
  if (!restores) await checkTerminalDays(world, closings, { platform, devices, ledger, sessions, ending });
  await checkResolved(world, sessions, platform, devices);
  for (const kind of await checkBareAlerts(world, platform, ending)) count(alerts, kind);
  checkKeys(world, sessions, ledger);
  await checkVoucher(world, { sessions, ledger }, platform, ending);
  await checkOrders(world, sessions, platform, { ending, ledger });
  await checkMarks(world, sessions, platform, ending);
  checkLooks(world, platform, sessions);
  await checkClaims(world, platform);
  const leftovers = await checkQuiet(world, ending, platform, devices, sessions, ledger);
  const { violations, faultPlan } = world;
  return {
    violations,
    endings,
    alerts,
    excuses: excuses.counts,
    situations: [...situations],
    leftovers,
    faults: faultPlan.met,
  };
}
