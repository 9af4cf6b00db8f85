import type { ReportEvent } from "../record/events.ts";
import type { ChargeState } from "../record/charge.ts";

/**
 * The meaning of a report for the charge that it names.
 *
 * - `moves`: the charge is given back.
 * - `fails`: a try to give it back has failed. Its deadline starts the next one.
 * - `books`: the merchant has the money until the charge is given back. An alert is raised, and the reversal goes on.
 * - `marks`: the charge is contradicted. It stays as it is, and none of its money moves until an operator decides.
 * - `doubts`: the charge is in doubt. Nothing is booked until an operator decides.
 * - `asPayment`: the payment's own table decides.
 */
export type ChargeVerdict = "moves" | "fails" | "books" | "marks" | "doubts" | "agrees" | "contradicts" | "asPayment";
export const chargeReports = [
  "authorized",
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
] as const satisfies ReportEvent[];
export type ChargeReport = (typeof chargeReports)[number];
type Verdicts = Readonly<Record<ChargeReport, ChargeVerdict>>;

/** The merchant has the money, whatever the payment's state: the terminal reported it, or an operator resolved it. */
const withMerchant: Verdicts = {
  authorized: "agrees",
  captured: "agrees",
  captureFailed: "contradicts",
  voided: "marks",
  voidFailed: "agrees",
};
const givingBack: Verdicts = {
  authorized: "agrees",
  captured: "books",
  captureFailed: "agrees",
  voided: "moves",
  voidFailed: "fails",
};
const givenBack: Verdicts = {
  authorized: "agrees",
  captured: "doubts",
  captureFailed: "agrees",
  voided: "agrees",
  voidFailed: "contradicts",
};

/** The verdict on every report that names a charge, by the charge's state. The wanted charge follows its payment until it is captured. */
const chargeVerdicts: Readonly<Record<ChargeState, Verdicts>> = {
  authorized: {
    authorized: "agrees",
    captured: "asPayment",
    captureFailed: "asPayment",
    voided: "marks",
    voidFailed: "asPayment",
  },
  captured: withMerchant,
  voided: givenBack,
  reversing: givingBack,
  reversed: givenBack,
  reversalFailed: givingBack,
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

export const isChargeReport = (type: string): type is ChargeReport => type in withMerchant;
