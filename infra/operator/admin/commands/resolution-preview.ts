import type { Resolution } from "../../../../shared/domain/payment/operator/resolution.ts";
import type { PaymentKey } from "../../../../shared/ports/subjects.ts";
import {
  previewResolution,
  type PreviewDeps,
  type SeenPayment,
} from "../../../../shared/use-cases/operator/record-resolution.ts";
import { consequences } from "../../common/consequences.ts";
import { operatorCall } from "../../common/platform.ts";
import { whyRefused } from "../../common/why-refused.ts";
import type { Context } from "../command.ts";

/** A resolution of one payment, and a function that writes the command to repeat. */
export interface Asked extends PaymentKey {
  readonly resolution: Resolution;
  readonly again: Context["again"];
}

/**
 * The effects of the resolution, and the command that carries it out. Throws an error for the operator if the payment does not accept it.
 */
export async function preview(deps: PreviewDeps, { resolution, again, ...key }: Asked) {
  const decided = await previewResolution(deps, operatorCall(), key, resolution);
  if (!decided.ok) throw new Error(whyRefused(decided.error, asOption));
  const { before, change } = decided.value;
  return {
    sequence: before.sequence,
    follows: consequences(before, change),
    command: again("--sequence", String(before.sequence)),
  };
}

/** A new preview, if the payment has changed since the operator read it. Otherwise undefined. */
export async function movedOn(
  deps: PreviewDeps,
  { sequence, ...asked }: Asked & SeenPayment,
): Promise<string | undefined> {
  const stored = await deps.payments.find(asked);
  const now = stored?.payment.sequence;
  if (now === undefined || now === sequence) return undefined;
  const changed = `Nothing was done: the payment has changed since you read it, from sequence ${sequence} to ${now}.`;
  return preview(deps, asked).then(
    ({ follows, command }) =>
      [changed, "The consequences would now be:", ...follows.map((one) => `  ${one}`), command].join("\n"),
    (error: Error) => `${changed} ${error.message}`,
  );
}

/** A field of a resolution, as the operator types it. */
export const asOption = (field: string): string => `--${field}`;
