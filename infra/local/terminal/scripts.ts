import { fromMinorUnits, toMinorUnits } from "../../../shared/domain/money.ts";

/** How the autopilot plays a payment. Times are in steps of its pace. */
export interface Script {
  readonly name: string;
  readonly outcome: "authorized" | "declined" | "cancelled" | "failed";
  readonly detail?: string;
  readonly acceptAfter?: number;
  readonly payAfter?: number;
  /** In the major unit, where it is not what was asked. */
  readonly approvedAmount?: number;
}

type Play = Script | ((minor: number, currency: string) => Script);

/** By the last two digits of the total in minor units; every other total is approved. */
export const scripts: Readonly<Record<string, Play>> = {
  "01": { name: "declined: insufficient funds", outcome: "declined", detail: "insufficient funds" },
  "02": { name: "declined: card expired", outcome: "declined", detail: "card expired" },
  "03": { name: "declined: do not honour", outcome: "declined", detail: "do not honour" },
  "04": { name: "the customer cancels", outcome: "cancelled", detail: "cancelled by the customer" },
  "05": { name: "the terminal fails", outcome: "failed", detail: "card reader error" },
  "06": { name: "slow to accept", outcome: "authorized", acceptAfter: 20 },
  "07": { name: "slow to pay", outcome: "authorized", payAfter: 50 },
  "08": (minor, currency) => ({
    name: "approves another amount",
    outcome: "authorized",
    approvedAmount: fromMinorUnits(minor - 1, currency),
  }),
};

export function scriptFor(total: number, currency: string): Script {
  const minor = toMinorUnits(total, currency);
  const digits = minor.ok ? String(minor.value % 100).padStart(2, "0") : "00";
  const play = scripts[digits] ?? { name: "approved", outcome: "authorized" };
  return typeof play === "function" ? play(minor.ok ? minor.value : 0, currency) : play;
}
