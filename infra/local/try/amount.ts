import { UsageError } from "../../tools/script.ts";
import { digitsOf } from "../../terminal/simulated/scripts.ts";

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
