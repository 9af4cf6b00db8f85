import { CALM, FAULTS_END, MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Partner } from "./partner.ts";
import { createPlan, type Plan } from "./plan.ts";
import type { TerminalDevice } from "./terminal.ts";

interface Afterwards {
  /** Those made here are added. */
  readonly plans: Plan[];
  readonly devices: readonly TerminalDevice[];
}

/** What is asked of the platform once there are no faults: how things stand, and that it serves as if nothing had been. */
export function afterwards(world: World, partner: Partner, { plans, devices }: Afterwards): void {
  const { agenda, random } = world;
  const make = (name: string, terminalId: string): Plan => {
    const plan = createPlan(world, {
      sessionId: `${name}-${terminalId}`,
      terminalId,
      orderId: undefined,
      isCalm: true,
    });
    plans.push(plan);
    return plan;
  };

  agenda.after(FAULTS_END + 5 * MINUTE, () => {
    for (const plan of plans) if (plan.known.inDoubt) void partner.findOut(plan);
  });

  for (const { terminal, memory, diesForEver } of devices) {
    if (diesForEver) continue;
    const { terminalId } = terminal;
    agenda.after(CALM, () => {
      const next = make("next", terminalId);
      void partner
        .requestOnce(next)
        .then((passed) => passed || world.violate("the next payment was refused", terminalId));
      agenda.after(10 * MINUTE, () => {
        if (!memory.runs.has(next.sessionId)) world.violate("the next payment did not reach its terminal", terminalId);
      });
    });
    if (random.chance(0.7)) continue;
    // One of two is turned away, and one is taken back: neither may leave anything in the inbox.
    agenda.after(CALM + 20 * MINUTE, () => {
      for (const name of ["one", "other"]) void partner.requestOnce(make(name, terminalId));
    });
    agenda.after(CALM + 40 * MINUTE, () => {
      const taken = make("withdrawn", terminalId);
      void partner.requestOnce(taken).then(() => partner.cancelOnce(taken));
    });
  }
}
