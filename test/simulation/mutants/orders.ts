import { type Mutant } from "./mutant.ts";

/** Rules of orders: the duplicate check finds each repeat, each repeat is marked, and each order is released. */
export const orderMutants: readonly Mutant[] = [
  {
    name: "never releases an order",
    file: "shared/domain/payment/requests/duplicate.ts",
    find: "    if (hold === undefined) return [];\n",
    replace: "    if (hold === undefined) return holder;\n",
  },
  {
    name: "treats a strict order as one that may be paid again",
    file: "shared/domain/payment/requests/duplicate.ts",
    find: 'claim.strictOrder && hold !== "givingBack"',
    replace: "false",
  },
];
