import { domain, type Mutant } from "./mutant.ts";

/** Rules of tips: asked for, at most the maximum, and the last part of the money. */
export const tipMutants: readonly Mutant[] = [
  {
    name: "takes a named tip above its maximum",
    file: `${domain}/reports/explained.ts`,
    find: "tipAmount <= maximumTip(payment, amount - tipAmount) ?",
    replace: "maximumTip(payment, amount - tipAmount) > 0 ?",
  },
  {
    name: "takes any excess for a tip",
    file: `${domain}/reports/explained.ts`,
    find: "excess > 0 && excess <= maximumTip(payment, payableAmount(payment)) ?",
    replace: "excess > 0 && maximumTip(payment, payableAmount(payment)) > 0 ?",
  },
  {
    name: "takes a tip that was not asked for",
    file: `${domain}/record/tip.ts`,
    find: "tip?.asked ? mostOf",
    replace: "tip ? mostOf",
  },
  {
    name: "asks terminals that cannot ask for a tip",
    file: `${domain}/requests/create-payment.ts`,
    find: "context.asksTips ? ",
    replace: "context.now ? ",
  },
  {
    name: "offers tips above the maximum",
    file: `${domain}/record/tip.ts`,
    find: "question.amounts.filter((amount) => amount <= maximum)",
    replace: "question.amounts",
  },
  {
    name: "keeps the maximum of a tip after a discount",
    file: `${domain}/requests/discount.ts`,
    find: "tipChoices(payment.tip, newTotal)",
    replace: "tipChoices(payment.tip, payableAmount(payment))",
  },
  {
    name: "takes the tip before the sale",
    file: `${domain}/record/tip.ts`,
    find: "Math.max(0, part - (amount - tip))",
    replace: "part",
  },
  {
    name: "gives the tip back before the sale",
    file: `${domain}/record/kept-money.ts`,
    find: "amountOf(refund) - Math.max(0, saleLeft)",
    replace: "saleLeft < 0 ? 0 : amountOf(refund)",
  },
  {
    name: "counts a tip twice in the authorized amount",
    file: `${domain}/reports/approvals.ts`,
    find: "discounted, authorized: amount }",
    replace: "discounted, authorized: amount + (explained?.tip ?? 0) }",
  },
  {
    name: "forgets the tip of an approval",
    file: `${domain}/reports/approvals.ts`,
    find: "|| undefined;\n  const times",
    replace: "&& undefined;\n  const times",
  },
];
