import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of contradicting reports: one for each row of the table in docs/api-behaviour.md. */
export const contradictionMutants: readonly Mutant[] = [
  {
    name: "gives back a requested capture that was reported late",
    file: `${domain}/life/transitions.ts`,
    find: '      to("captured", { captures: "requested", when: ["its capture was requested"] }),\n      stays("authorized"), // the',
    replace: '      stays("authorized"), // the',
  },
  {
    name: "gives back a capture without a request",
    file: `${domain}/life/transitions.ts`,
    find: '      stays("authorized", { when: ["an operator must decide"], raises: "contradictingReport" }),\n',
    replace: "",
  },
  {
    name: "cancels a payment whose charge was captured without a request",
    file: `${domain}/requests/cancel.ts`,
    find: "if (own.captured === undefined) return undefined;",
    replace: "if (own.captured === undefined || own.captured > 0) return undefined;",
  },
  {
    name: "goes on with the void of a captured charge",
    file: `${domain}/life/transitions.ts`,
    find: 'captured: [to("captured", { captures: "requested", when: ["its capture was requested"] }), to("authorized")],',
    replace: "captured: contradicts,",
  },
  {
    name: "believes the failure of a refund that was made",
    file: `${domain}/life/verdicts.ts`,
    find: '  failed: { refunded: "moves", refundFailed: agrees },',
    replace: "  failed: { refunded: contradicts, refundFailed: agrees },",
  },
  {
    name: "forgets that a failed void succeeded",
    file: `${domain}/reports/charge-verdicts.ts`,
    find: '  voided: "moves",\n  voidFailed: "fails",',
    replace: '  voided: "agrees",\n  voidFailed: "fails",',
  },
  {
    name: "leaves a charge given back that was captured afterwards",
    file: `${domain}/reports/charge-verdicts.ts`,
    find: '  captured: "doubts",',
    replace: '  captured: "contradicts",',
  },
  {
    name: "does not mark a charge whose void nobody requested",
    file: `${domain}/reports/charge-verdicts.ts`,
    find: '  voided: "marks",\n  voidFailed: "agrees",',
    replace: '  voided: "contradicts",\n  voidFailed: "agrees",',
  },
  {
    name: "does not mark an authorized charge whose void nobody requested",
    file: `${domain}/reports/charge-verdicts.ts`,
    find: '    voided: "marks",\n    voidFailed: "asPayment",',
    replace: '    voided: "contradicts",\n    voidFailed: "asPayment",',
  },
  {
    name: "refunds a contradicted charge",
    file: `${domain}/requests/why-not-refundable.ts`,
    find: "  if (contradictedCharge(payment)) return",
    replace: "  if (contradictedCharge(payment)?.amount === 0) return",
  },
  {
    name: "captures a contradicted charge",
    file: `${domain}/reports/contradicted.ts`,
    find: "(isMarked || after.status !== before.status)",
    replace: "after.status !== before.status",
  },
  {
    name: "reverses another charge while one is contradicted",
    file: `${domain}/reports/approvals.ts`,
    find: "    setAside(payment, report, charge, step) ??\n",
    replace: "",
  },
  {
    name: "takes no contradicted message out of the inbox",
    file: `${useCases}/payments/record-report.ts`,
    find: '(act === "takeOut" ? messageOf(open, sequence) :',
    replace: '(act === "takeOut" ? undefined :',
  },
];
