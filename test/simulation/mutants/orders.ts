import { useCases, type Mutant } from "./mutant.ts";

/** Rules of orders: each is guarded, each repeat marked, and each list given back. */
export const orderMutants: readonly Mutant[] = [
  {
    name: "never gives an order back",
    file: "shared/domain/payment/duplicate.ts",
    find: "    if (!holdsOrder(payment)) return [];\n",
    replace: "    if (!holdsOrder(payment)) return holder;\n",
  },
  {
    name: "lets a slow entry into an order's list land when all is over",
    file: `${useCases}/payments/hold-order.ts`,
    find: "if (!holdsOrder(payment) || isOther(holders, before))",
    replace: "if (isOther(holders, before))",
  },
  {
    name: "lets a duplicate in without its mark",
    file: `${useCases}/payments/claim-terminal.ts`,
    find: "  if (possibleDuplicateOf !== undefined) await mark(deps, call, key, possibleDuplicateOf);\n",
    replace: "",
  },
  {
    name: "takes a strict order for one that may be paid again",
    file: "shared/domain/payment/duplicate.ts",
    find: "({ payment }) => claim.strictOrder || (payment",
    replace: "({ payment }) => (payment",
  },
];
