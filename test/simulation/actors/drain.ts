import type { Terminal } from "../../../shared/domain/terminal.ts";
import { CALM, FAULTS_END, MINUTE } from "../world/time.ts";
import type { LostTime } from "../world/lost-time.ts";
import type { World } from "../world/world.ts";
import type { Price } from "./prices.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { Partner } from "./partner.ts";
import { createPlan, type Plan } from "./plan.ts";
import type { TerminalDevice } from "./terminal.ts";

interface Surroundings {
  /** The plans of the drain are added to this list. */
  readonly plans: Plan[];
  readonly devices: readonly TerminalDevice[];
  readonly price: Price;
  readonly ledger: Pick<CardLedger, "isUnheard">;
}

/** Requests after the end of the faults. Partners read their payments, and new payments must succeed as if there had been no faults. */
export function drain(world: World, partner: Partner, { plans, devices, price, ledger }: Surroundings): void {
  const { agenda, random, lostTime } = world;
  /** Whether only an operator frees the terminal: it never ends a payment, misreports it, or has reported the loss of its memory. */
  const isStuck = (device: TerminalDevice): boolean =>
    isStuckByItself(device) ||
    namesLostCharge(device, lostTime) ||
    plans.some((p) => p.request.terminalId === device.terminal.terminalId && ledger.isUnheard(p.sessionId));
  const make = (name: string, terminal: Terminal): Plan => {
    const sessionId = `${name}-${terminal.terminalId}`;
    const plan = createPlan(world, { sessionId, terminal, price, orderId: undefined, isCalm: true });
    plans.push(plan);
    return plan;
  };

  /** Terminals are free now, so a payment is accepted and reaches its terminal. */
  const mustPass = (name: string, { terminal, memory }: TerminalDevice) => {
    const plan = make(name, terminal);
    void partner
      .requestOnce(plan)
      .then((passed) => passed || world.violate("the next payment was refused", plan.sessionId));
    agenda.after(10 * MINUTE, () => {
      if (!memory.runs.has(plan.sessionId))
        world.violate("the next payment did not reach its terminal", plan.sessionId);
    });
  };

  agenda.after(FAULTS_END + 5 * MINUTE, () => {
    for (const plan of plans) if (plan.known.inDoubt) void partner.findOut(plan);
  });

  for (const device of devices) {
    if (device.diesForEver) continue;
    const { terminal } = device;
    agenda.after(CALM, () => isStuck(device) || mustPass("next", device));
    if (random.chance(0.7)) continue;
    // One of two payments is refused, and another payment is cancelled. Neither may leave a row in the inbox.
    agenda.after(CALM + 20 * MINUTE, () => {
      for (const name of ["one", "other"]) void partner.requestOnce(make(name, terminal));
    });
    agenda.after(CALM + 40 * MINUTE, () => {
      const taken = make("withdrawn", terminal);
      void partner.requestOnce(taken).then(() => partner.cancelOnce(taken));
    });
  }
}

/**
 * Whether the terminal's only report about a charge that a restore lost is its void, or the failure of its capture or void. If the whole
 * payment is lost and was requested again, the report may also be its capture. The platform does not know the charge, so it raises an
 * alert.
 */
const namesLostCharge = ({ memory, reports }: TerminalDevice, { behind, sessions }: LostTime): boolean =>
  [...memory.runs].some(
    ([sessionId, { latest: { type = "" } = {} }]) =>
      (behind.has(sessionId) && (/^voided$|Failed$/.test(type) || hasReportedFailure(reports))) ||
      (sessions.has(sessionId) && type === "captured"),
  );

/** An old report of a failed capture or void may come between, and answer the query of the restore. */
const hasReportedFailure = (reports: TerminalDevice["reports"]): boolean =>
  [...reports.values()].some(({ type }) => type === "voidFailed" || type === "captureFailed");

const isStuckByItself = ({ memory, hasSaidLost }: TerminalDevice): boolean =>
  hasSaidLost() || [...memory.runs.values()].some((run) => run.isStuck);
