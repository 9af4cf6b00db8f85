import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of partners' webhooks and responses: they report exactly the changes that the partner did not make itself. */
export const notificationMutants: readonly Mutant[] = [
  {
    name: "sends no webhook of a concluded refund",
    file: `${domain}/requests/refund.ts`,
    find: "effects: [eventBy(context.by",
    replace: 'effects: context.by !== "operator" ? [] : [eventBy(context.by',
  },
  {
    name: "sends no webhook of a concluded discount",
    file: `${domain}/life/advance.ts`,
    find: "      ...concludedDiscounts(payment, next, step.by),\n",
    replace: "",
  },
  {
    name: "sends no webhook of a doubt that changes no state",
    file: `${domain}/life/advance.ts`,
    find: "before.status !== next.status || before.statusReason !== next.statusReason;",
    replace: "before.status !== next.status;",
  },
  {
    name: "shows pending refunds as refunded",
    file: "shared/contracts/objects/payment.ts",
    find: "refunded: major(refundedAmount(payment)),",
    replace: "refunded: major(refundedAmount(payment) + refundPendingAmount(payment)),",
  },
  {
    name: "reports the state before a change",
    file: `${useCases}/payments/payment-origin.ts`,
    find: "data: () => toPaymentObject(payment),",
    replace:
      'data: () => toPaymentObject({ ...payment, status: payment.status === "captured" ? "authorized" : payment.status }),',
  },
];
