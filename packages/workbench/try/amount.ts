import { UsageError } from "../../../infra/tools/script.ts";
import { CURRENCY } from "../first-payment.ts";
import { captureModeOf, digitsOf, scriptFor } from "../../terminal/simulated/scripts.ts";
import type { Wanted } from "./partner.ts";

/** Reads an amount from the command line, in the major unit. Throws `UsageError`. */
export function readAmount(text: string): number {
  if (/^\d{1,8},\d{1,2}$/.test(text))
    throw new UsageError(`The amount ${text} has a comma: write ${text.replace(",", ".")}.`);
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(text) || Number(text) === 0)
    throw new UsageError(`The amount ${text} is not valid: write an amount such as 125.50 or 20.`);
  return Number(text);
}

/** The amount with the minor digits by which the terminal on autopilot chooses this script. Throws `UsageError`. */
export function amountFor(amount: number, slug: string): number {
  const digits = digitsOf(slug);
  if (digits === undefined) throw new UsageError(`There is no script ${slug}: docs/running.md lists them.`);
  const whole = Math.floor(amount);
  if (whole === 0 && digits === "00") throw new UsageError(`An amount with the script ${slug} must be at least 1.`);
  return Number(`${whole}.${digits}`);
}

interface ScriptWords {
  readonly case?: string;
  readonly terminal: string;
  readonly capture?: Wanted["captureMode"];
}

/** The amount, its script, and the capture mode that the script needs. Throws `UsageError` if the words contradict each other. */
export function scripted(
  amount: number,
  { case: slug, terminal, capture }: ScriptWords,
): Pick<Wanted, "amount" | "script" | "captureMode"> {
  if (terminal !== "autopilot") {
    if (slug !== undefined) throw new UsageError("Only the terminal autopilot plays scripts.");
    return { amount, script: undefined, captureMode: capture ?? "automatic" };
  }
  const total = slug === undefined ? amount : amountFor(amount, slug);
  const script = scriptFor(total, CURRENCY);
  const needed = captureModeOf(script);
  if (needed !== undefined && capture !== undefined && capture !== needed)
    throw new UsageError(`The amount ${total.toFixed(2)} plays ${script.slug}, which needs --capture ${needed}.`);
  return { amount: total, script, captureMode: capture ?? needed ?? "automatic" };
}
