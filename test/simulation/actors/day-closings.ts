import { dayOf, type Day } from "../../../shared/domain/time.ts";
import { totalsOf, type Movement, type Totals } from "../../../shared/domain/terminal-day/totals.ts";
import { recordTotals } from "../../../shared/use-cases/terminal-days/record-totals.ts";
import { callFrom } from "../../support/calls.ts";
import type { Random } from "../../support/seeded-random.ts";
import { DAY, HOUR, instantAt, MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { CardLedger, CardMove } from "./card-ledger.ts";
import type { Client } from "./client.ts";
import type { Plan } from "./plan.ts";
import type { TerminalDevice } from "./terminal.ts";

/** The business days of a world, on which its terminals move money. */
export const businessDaysOf = ({ end }: World): readonly Day[] =>
  Array.from({ length: Math.ceil(end / DAY) }, (_, n) => dayOf(instantAt(n * DAY)));
/** The UTC end of the first business day. */
const FIRST_MIDNIGHT = 14 * HOUR;

/** A closing that a terminal sent. */
export interface SentClosing {
  readonly closingId: string;
  readonly terminalId: string;
  readonly day: Day;
  readonly totals: Totals;
  readonly lastChargeId: string | undefined;
  readonly sentAt: number;
  /** When the terminal received the response that the closing is stored. */
  takenAt: number | undefined;
}

interface Surroundings {
  readonly client: Client;
  readonly ledger: CardLedger;
  readonly plans: readonly Plan[];
  readonly devices: readonly TerminalDevice[];
}

/** A terminal's movements on its business day, as far as it knows them: those of sessions that it did not forget. */
export const movesOn = (
  world: Pick<World, "businessDay">,
  { ledger, plans }: Pick<Surroundings, "ledger" | "plans">,
  { terminalId, day }: { readonly terminalId: string; readonly day: Day },
): CardMove[] =>
  ledger.moves.filter(
    ({ sessionId, at }) =>
      world.businessDay(at) === day &&
      plans.some((plan) => plan.sessionId === sessionId && plan.request.terminalId === terminalId),
  );

type Lie = (moves: readonly CardMove[], random: Random) => readonly Movement[];
/** The ways in which a terminal counts wrongly. A lie that finds nothing to change leaves the totals correct. */
const lies: readonly Lie[] = [
  (moves, random) => moves.filter((_, i) => i !== random.between(0, moves.length - 1)),
  () => [],
  (moves) => moves.map((move, i) => (i === 0 ? { ...move, amount: move.amount + 1 } : move)),
  (moves) => [...moves, ...moves.slice(0, 1)],
  (moves) => moves.map((move) => ({ ...move, kind: move.kind === "capture" ? "refund" : "capture" })),
];

/**
 * Terminals close their days, most of them soon after midnight and correctly. Others close early, twice, late, never, or with a lie, and
 * some correct it afterwards. All of it is drawn from a separate random source.
 */
export function startDayClosings(
  world: World,
  random: Random,
  { client, ledger, plans, devices }: Surroundings,
): readonly SentClosing[] {
  const { agenda } = world;
  const closings: SentClosing[] = [];
  const businessDays = businessDaysOf(world);
  /** Whether a closing after this time still has its comparison and its grace before the world ends. */
  const isInTime = (pause: number) => agenda.now() + pause < world.end - HOUR;

  async function send(closing: SentClosing, { terminal }: TerminalDevice): Promise<void> {
    const { closingId, day, totals, lastChargeId } = closing;
    const input = { closingId, idAsReceived: closingId.toUpperCase(), day, totals, lastChargeId };
    const make = () =>
      client.call(`${terminal.terminalId} closes ${day} as ${closingId}`, (deps) =>
        recordTotals(deps, callFrom(deps, terminal), input),
      );
    for (let tries = 0; tries < 60; tries++) {
      const [answer] = await Promise.all(random.chance(0.1) ? [make(), make()] : [make()]);
      if (answer && !answer.ok) return world.violate("a closing was refused", `${closingId} ${answer.error.code}`);
      if (answer) {
        closing.takenAt ??= agenda.now();
        return;
      }
      await agenda.sleep(random.between(1, 20) * SECOND);
    }
  }

  async function close(device: TerminalDevice, day: Day, isLie: boolean): Promise<void> {
    const { terminalId } = device.terminal;
    const known = movesOn(world, { ledger, plans }, { terminalId, day }).filter(
      (move) => !ledger.isForgotten(move.sessionId),
    );
    const [first = () => [], ...others] = lies;
    const counted = isLie ? random.pick(first, ...others)(known, random) : known;
    const last = known.findLast(({ kind }) => kind === "capture");
    const closing: SentClosing = {
      closingId: world.newId(),
      terminalId,
      day,
      totals: totalsOf(counted),
      lastChargeId: random.chance(0.5) ? last?.chargeId : undefined,
      sentAt: agenda.now(),
      takenAt: undefined,
    };
    world.trace?.(terminalId, `closes ${day} as ${closing.closingId} ${isLie ? "with a lie" : "truly"}`);
    closings.push(closing);
    const pause = random.chance(0.2) ? random.between(1, 120) * MINUTE : undefined;
    if (pause !== undefined && isInTime(pause)) agenda.after(pause, () => void send(closing, device)); // once more, long afterwards
    await send(closing, device);
  }

  /** Closes a day. Half of the lies are corrected within the hour. */
  async function end(device: TerminalDevice, day: Day, isLie: boolean): Promise<void> {
    await close(device, day, isLie);
    if (!isLie || random.chance(0.5)) return;
    const pause = random.between(1, 60) * MINUTE;
    if (!isInTime(pause)) return;
    await agenda.sleep(pause);
    await close(device, day, false);
  }

  for (const device of devices) {
    if (device.diesForEver) continue;
    if (random.chance(0.4))
      agenda.after(random.between(2, 55) * MINUTE, () => void close(device, businessDays[0] ?? "", random.chance(0.3)));
    for (const [i, day] of businessDays.entries()) {
      if (random.chance(0.08)) continue;
      const delay = i < 2 && random.chance(0.1) ? random.between(3 * 60, 6 * 60) : random.between(1, 60);
      const isLie = random.chance(0.3);
      agenda.after(FIRST_MIDNIGHT - world.aheadOfUtc + i * DAY + delay * MINUTE, () => void end(device, day, isLie));
    }
  }
  return closings;
}
