import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of what partners are told: every change that they did not make themselves, and nothing else. */
export const toldMutants: readonly Mutant[] = [
  {
    name: "sends no webhook of a refund that is concluded",
    file: `${domain}/refund.ts`,
    find: '    effects: [{ kind: "webhook", type: `refund.${outcome.status}`, about: refund.refundId }],\n',
    replace: "",
  },
  {
    name: "sends no webhook of a discount that is concluded",
    file: `${domain}/advance.ts`,
    find: "      ...concludedDiscounts(payment, next, step),\n",
    replace: "",
  },
  {
    name: "tells nobody of a doubt in a state that stays",
    file: `${domain}/advance.ts`,
    find: "const changed = before.status !== next.status || before.statusReason !== next.statusReason;",
    replace: "const changed = before.status !== next.status;",
  },
  {
    name: "shows what is to be refunded as refunded",
    file: "shared/contracts/objects/payment.ts",
    find: "refunded: major(refundedAmount(payment)),",
    replace: "refunded: major(refundedAmount(payment) + refundPendingAmount(payment)),",
  },
  {
    name: "tells of a change as it was before",
    file: `${useCases}/outbox/store-effects.ts`,
    find: "data: () => toPaymentObject(payment),",
    replace:
      'data: () => toPaymentObject({ ...payment, status: payment.status === "captured" ? "authorized" : payment.status }),',
  },
];
