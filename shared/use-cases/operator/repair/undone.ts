import { effectId, type StoredEffect } from "../../../domain/effects.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import { isAwaited } from "../../../domain/payment/life/timeouts.ts";
import { after, type Instant } from "../../../domain/time.ts";
import type { Command } from "../../../stores/commands.ts";

/** A committed effect that is not carried out yet. */
export interface Undone {
  readonly commandId: string;
  readonly effect: StoredEffect;
  /** When it should have been carried out: at its commit, or when its deadline passes. */
  readonly since: Instant | undefined;
}

/** Seconds after which an undone effect is overdue. Nearly all effects take less than one second. */
const OVERDUE_SECONDS = 600;

/** The effects of these commands of one subject that are not marked done and, for a payment, are still due. */
export const undoneIn = (commands: readonly Command[], payment: Payment | undefined): Undone[] =>
  commands
    .filter(({ state }) => state === "ready")
    .flatMap(({ commandId, effects, done, at }) =>
      effects
        .filter((effect) => !done.includes(effectId(effect)))
        .filter((effect) => payment === undefined || isStillDue(payment, commandId, effect))
        .map((effect) => ({ commandId, effect, since: effect.kind === "deadline" ? effect.due : at })),
    );

/** A payment's admissions and most of its deadlines are not marked done. The payment's state shows whether they are due. */
function isStillDue(payment: Payment, commandId: string, effect: StoredEffect): boolean {
  if (effect.kind === "admission") return payment.status === "pending";
  return effect.kind !== "deadline" || isAwaited(payment, { deadline: effect.deadline, commandId });
}

export const isOverdue = ({ since }: Undone, now: Instant): boolean =>
  since === undefined || after(since, OVERDUE_SECONDS) <= now;
