import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of resolutions: each ends and corrects its subject, the books follow, and an alert names every error. */
export const operatorMutants: readonly Mutant[] = [
  // Endings
  {
    name: "leaves messages in the inbox after an operator's resolution",
    file: `${useCases}/operator/record-resolution.ts`,
    find: "ok({ ...change, removed });",
    replace: "ok({ ...change, removed: removed.slice(9) });",
  },
  {
    name: "resolves a payment as unpaid but leaves its charge",
    file: `${domain}/operator/paid-or-unpaid.ts`,
    find: "const holding = payment.charges.filter(mayHoldMoney);",
    replace: "const holding = payment.charges.filter((charge) => mayHoldMoney(charge) && isCalledBack(charge));",
  },
  {
    name: "keeps the order of a payment that an operator ended",
    file: `${domain}/life/advance.ts`,
    find: "      ...orderUpdates(payment, next),\n",
    replace: '      ...(step.by === "operator" ? [] : orderUpdates(payment, next)),\n',
  },
  {
    name: "keeps the voucher of a payment that an operator ended",
    file: `${domain}/life/advance.ts`,
    find: "...decidedVouchers(payment, next).map(",
    replace: '...(step.by === "operator" ? [] : decidedVouchers(payment, next)).map(',
  },
  // An amount, and a charge that contradicts it
  {
    name: "voids a charge of another amount than an operator named",
    file: `${domain}/reports/approvals.ts`,
    find: "if (recorded === 0 || chargeInDoubt(payment)) return undefined;",
    replace: "if (recorded >= 0 || chargeInDoubt(payment)) return undefined;",
  },
  {
    name: "accepts a refund while a charge is in doubt",
    file: `${domain}/requests/why-not-refundable.ts`,
    find: "if (chargeInDoubt(payment)) {",
    replace: "if (chargeInDoubt({ charges: payment.charges.slice(0, 0) })) {",
  },
  // Corrections
  {
    name: "corrects a payment that no open alert names",
    file: `${useCases}/operator/record-resolution.ts`,
    find: '({ alert }) => (alert.status === "open" ? [alert] : [])',
    replace: "({ alert }) => [alert]",
  },
  {
    name: "voids a captured payment by a correction",
    file: `${domain}/life/transitions.ts`,
    find: "  corrected: stays(state),",
    replace: '  corrected: state === "captured" ? to("voided") : stays(state),',
  },
  {
    name: "leaves a kept charge out of the books",
    file: `${domain}/operator/corrections.ts`,
    find: "captured: payment.amounts.captured + charge.amount }",
    replace: "captured: payment.amounts.captured }",
  },
  {
    name: "refuses the refund of a kept charge",
    file: `${domain}/record/kept-money.ts`,
    find: "(kept?.amount ?? 0)",
    replace: "(kept ? 0 : 0)",
  },
  {
    name: "sends no webhook of a corrected refund",
    file: `${domain}/operator/corrections.ts`,
    find: '    { kind: "webhook", type: `refund.${status}`, about: refund.refundId },\n',
    replace: "",
  },
  {
    name: "records a refund without the amount that an operator names",
    file: `${domain}/operator/corrections.ts`,
    find: "const decided = { ...refund, made: made.value };",
    replace: "const decided = { ...refund, made: refund.made };",
  },
  {
    name: "leaves a charge captured that an operator resolved as reversed",
    file: `${domain}/operator/corrections.ts`,
    find: 'const own = charge.status === "captured" ? 0 : ownCaptured(payment);',
    replace: "const own = ownCaptured(payment);",
  },
  // Money returned outside the platform
  {
    name: "records more as returned outside than is left",
    file: `${domain}/operator/outside-refund.ts`,
    find: "return minor.value > left",
    replace: "return minor.value > 2 * left",
  },
  {
    name: "books no money that was returned outside",
    file: `${domain}/record/held-money.ts`,
    find: "held: -given(refund),",
    replace: "held: refund.outsideReference === undefined ? -given(refund) : 0,",
  },
  {
    name: "takes money returned outside back only with an alert",
    file: `${domain}/operator/corrections.ts`,
    find: '!(isOutside(refund) && status === "failed")',
    replace: "!(isOutside(refund) && refund.amount === 0)",
  },
  // The days of corrections
  {
    name: "corrects nothing that a day shows",
    file: `${useCases}/operator/record-resolution.ts`,
    find: 'kind === "dayDiffers" && subject.kind === "terminal" ? [subject.day] : [];',
    replace: 'kind === "dayDiffers" && subject.kind === "platform" ? [subject.kind] : [];',
  },
  {
    name: "counts no correction",
    file: `${domain}/life/bookings.ts`,
    find: "correction.businessDay === undefined ? undefined : countedAs(money, i === 0 ? sign : 0),",
    replace: "i < 0 ? countedAs(money, sign) : undefined,",
  },
  {
    name: "counts a correction without a day",
    file: `${domain}/life/bookings.ts`,
    find: "correction.businessDay === undefined ? undefined : countedAs(money, i === 0 ? sign : 0),",
    replace: "countedAs(money, i === 0 ? sign : 0),",
  },
  {
    name: "takes a correction back on the day of the change",
    file: `${domain}/life/bookings.ts`,
    find: '    kind: "correction",\n    correction,\n',
    replace: '    kind: "correction",\n    correction: sign === 1 ? correction : { amount: correction.amount },\n',
  },
  // The names in alerts
  {
    name: "leaves a closed alert closed when it is raised again",
    file: "shared/domain/alert.ts",
    find: 'status: isEnd ? alert.status : "open",',
    replace: "status: alert.status,",
  },
];
