import { FAULTS_END, HOUR } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Flaws } from "./flaws.ts";

/** The ways in which a terminal's reports and totals differ. Its totals are correct, and its reports are not. */
const hidings = [
  "declines a charge that it made",
  "reports a charge days later",
  "reports a refund that it made as failed",
  "reports a refund that it did not make",
  "reports a capture that it did not make",
] as const;
export type Hiding = (typeof hidings)[number];

/** The movements that one terminal hides. */
export interface Hidings {
  /** Whether the terminal does so on this occasion. It happens at most once, so that the totals can show the hidden movement. */
  happens(hiding: Hiding): boolean;
  /** Calls `report` once the terminal reports the truth after all. Half of the terminals never do. */
  later(report: () => void): void;
}

/** An authorization this long before the end is captured or voided by the end. */
const BEFORE_END = 40 * HOUR;

/** The probability that a terminal of a world with flaws hides something. */
const HIDES = 0.5;

/**
 * Draws the hidden movements of a terminal from a separate random source. Restored worlds have none, because their days are not checked.
 */
export function drawHidings(
  { agenda, end, fateOf, faultPlan }: World,
  { isPerfect }: Flaws,
  { terminalId, isRestored }: { readonly terminalId: string; readonly isRestored: boolean },
): Hidings {
  const fate = fateOf(`what ${terminalId} hides`);
  const hides = !isPerfect && !isRestored && fate.chance(HIDES);
  const possible = new Set(hides ? hidings.filter(() => fate.chance(0.6)) : []);
  const comesBack = fate.chance(0.6);
  const at = fate.between(fate.pick(2, 40) * HOUR, end - BEFORE_END);
  return {
    happens(hiding) {
      if (!possible.has(hiding) || agenda.now() >= FAULTS_END) return false;
      possible.clear();
      faultPlan.meet(`terminal ${hiding}`);
      return true;
    },
    later(report) {
      if (!comesBack) return;
      agenda.after(Math.max(0, at - agenda.now()), () => {
        faultPlan.meet("terminal reports the truth after all");
        report();
      });
    },
  };
}
