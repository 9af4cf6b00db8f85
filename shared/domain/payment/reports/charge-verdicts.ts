import type { ReportEvent } from "../record/events.ts";
import type { ChargeState } from "../record/payment.ts";

/** The meaning of a report for the charge that it names. `asPayment`: the payment's own table decides. */
type ChargeVerdict = "moves" | "agrees" | "contradicts" | "asPayment";
export const chargeReports = [
  "authorized",
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
] as const satisfies ReportEvent[];
export type ChargeReport = (typeof chargeReports)[number];
const wanted = {
  authorized: "agrees",
  captured: "asPayment",
  captureFailed: "asPayment",
  voided: "asPayment",
  voidFailed: "asPayment",
} as const;

/** The merchant has the money, whatever the payment's state: the terminal reported it, or an operator resolved it. */
const withMerchant = {
  authorized: "agrees",
  captured: "agrees",
  captureFailed: "contradicts",
  voided: "contradicts",
  voidFailed: "agrees",
} as const;

/** The verdict on every report that names a charge, by the charge's state. The wanted charge follows its payment until it is captured. */
const chargeVerdicts: Readonly<Record<ChargeState, Readonly<Record<ChargeReport, ChargeVerdict>>>> = {
  authorized: wanted,
  captured: withMerchant,
  voided: {
    authorized: "agrees",
    captured: "contradicts",
    captureFailed: "agrees",
    voided: "agrees",
    voidFailed: "contradicts",
  },
  reversing: {
    authorized: "agrees",
    captured: "contradicts",
    captureFailed: "agrees",
    voided: "moves",
    voidFailed: "agrees", // the try has failed; its deadline starts the next one
  },
  reversed: {
    authorized: "agrees",
    captured: "contradicts",
    captureFailed: "agrees",
    voided: "agrees",
    voidFailed: "contradicts",
  },
  reversalFailed: {
    authorized: "agrees",
    captured: "contradicts",
    captureFailed: "agrees",
    voided: "moves",
    voidFailed: "agrees",
  },
  kept: withMerchant,
  inDoubt: {
    authorized: "agrees",
    captured: "agrees",
    captureFailed: "agrees",
    voided: "moves",
    voidFailed: "agrees",
  },
};

export const chargeVerdictOf = (state: ChargeState, report: ChargeReport): ChargeVerdict =>
  chargeVerdicts[state][report];

export const isChargeReport = (type: string): type is ChargeReport => type in wanted;
