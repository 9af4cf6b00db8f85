import { useCases, type Mutant } from "./mutant.ts";

/** Rules of orders: each is guarded, each repeat marked, and each list given back. */
export const orderMutants: readonly Mutant[] = [
  {
    name: "never gives an order back",
    file: "shared/domain/payment/duplicate.ts",
    find: "    if (hold === undefined) return [];\n",
    replace: "    if (hold === undefined) return holder;\n",
  },
  {
    name: "lets a slow entry into an order's list land when all is over",
    file: `${useCases}/payments/hold-order.ts`,
    find: "if (orderHold(latest) === undefined || isOther(holders, before))",
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
    find: 'claim.strictOrder && hold !== "givingBack"',
    replace: "false",
  },
  {
    name: "does not enter an order again for a charge after the end",
    file: "shared/domain/payment/duplicate.ts",
    find: "  return withNewcomer(known, asHolder(payment, hold)) ?? known;\n",
    replace: "  return known;\n",
  },
  {
    name: "takes a charge that could not be given back for one that was",
    file: "shared/domain/payment/order.ts",
    find: '  if (charges.some((charge) => charge.status === "reversalFailed")) return "approved";\n',
    replace: "",
  },
];
