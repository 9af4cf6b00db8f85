import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of amounts: each is as requested, in its own currency, and requested once. */
export const amountMutants: readonly Mutant[] = [
  {
    name: "gives every currency two decimals",
    file: "shared/domain/currency.ts",
    find: "exponents.get(currency);",
    replace: "exponents.get(currency) && 2;",
  },
  {
    name: "computes a percentage of the requested amount",
    file: `${domain}/requests/reduction.ts`,
    find: "proportion(payableAmount(payment), ",
    replace: "proportion(payment.amounts.requested, ",
  },
  {
    name: "leaves discounts unconcluded when a payment ends",
    file: `${domain}/life/closed-discounts.ts`,
    find: "  holdsTerminal(to)\n    ? discounts",
    replace: "  holdsTerminal(to) || discounts.length > 0\n    ? discounts",
  },
  {
    name: "refuses a confirmed duplicate",
    file: `${useCases}/payments/check-duplicate.ts`,
    find: "claim.confirmDuplicate ? undefined : duplicateAmong(",
    replace: "duplicateAmong(",
  },
  {
    name: "captures more than was authorized",
    file: `${domain}/requests/capture.ts`,
    find: "minor.value > amounts.authorized) {",
    replace: "minor.value < 0) {",
  },
  {
    name: "replays a capture of another amount",
    file: `${domain}/requests/capture.ts`,
    find: "return requested === (amount ?? amounts.authorized) ||",
    replace: "return (amount ?? 1) > 0 ||",
  },
  {
    name: "accepts a cancel of a captured payment",
    file: `${domain}/requests/cancel.ts`,
    find: '  "expired",\n]);',
    replace: '  "expired",\n  "captured",\n]);',
  },
  {
    name: "captures the whole amount although a part was requested",
    file: `${domain}/life/rule-effects.ts`,
    find: "    amount: payment.captureAmount ?? payment.amounts.authorized,\n",
    replace: "    amount: payment.amounts.authorized,\n",
  },
];
