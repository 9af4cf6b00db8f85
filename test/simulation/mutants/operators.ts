import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of what an operator says: it ends and corrects what it is about, the books follow, and no error stays unheard of. */
export const operatorMutants: readonly Mutant[] = [
  // What is ended.
  {
    name: "leaves in the inbox what an operator resolved",
    file: `${useCases}/payments/resolve-payment.ts`,
    find: "of pointlessMessages(payment, decided.value)) {",
    replace: "of pointlessMessages(payment, decided.value).slice(0, 0)) {",
  },
  {
    name: "takes a payment for unpaid and leaves its charge",
    file: `${domain}/resolve-payment.ts`,
    find: "const holding = payment.charges.filter(mayHoldMoney);",
    replace: "const holding = payment.charges.filter((charge) => mayHoldMoney(charge) && isCalledBack(charge));",
  },
  {
    name: "keeps terminal and order of what an operator ended",
    file: `${domain}/advance.ts`,
    find: "      ...orderUpdates(payment, next, step),\n",
    replace: '      ...(step.by === "operator" ? [] : orderUpdates(payment, next, step)),\n',
  },
  {
    name: "keeps the voucher of what an operator ended",
    file: `${domain}/advance.ts`,
    find: "...decidedVouchers(payment, next).map(",
    replace: '...(step.by === "operator" ? [] : decidedVouchers(payment, next)).map(',
  },
  // What is corrected.
  {
    name: "corrects what no alert names",
    file: `${useCases}/payments/resolve-payment.ts`,
    find: '.some(({ alert }) => alert.status === "open" && (isOfPayment',
    replace: ".some(({ alert }) => (isOfPayment",
  },
  {
    name: "voids a captured payment by a correction",
    file: `${domain}/transitions.ts`,
    find: "  corrected: stays(state),",
    replace: '  corrected: state === "captured" ? to("voided") : stays(state),',
  },
  {
    name: "leaves a kept charge out of the books",
    file: `${domain}/corrections.ts`,
    find: "captured: payment.amounts.captured + charge.amount }",
    replace: "captured: payment.amounts.captured }",
  },
  {
    name: "refunds no charge that was kept",
    file: `${domain}/kept-money.ts`,
    find: "(kept?.amount ?? 0)",
    replace: "(kept ? 0 : 0)",
  },
  {
    name: "does not tell the partner of a corrected refund",
    file: `${domain}/corrections.ts`,
    find: '    { kind: "webhook", type: `refund.${status}`, about: refund.refundId },\n',
    replace: "",
  },
  {
    name: "leaves captured what an operator says is back",
    file: `${domain}/corrections.ts`,
    find: 'const own = charge.status === "captured" ? 0 : ownCaptured(payment);',
    replace: "const own = ownCaptured(payment);",
  },
  // What is heard of.
  {
    name: "leaves a closed alert closed when it is raised again",
    file: "shared/domain/alert.ts",
    find: '    status: "open",\n    detail: counted.isLatest',
    replace: "    status: alert.status,\n    detail: counted.isLatest",
  },
];
