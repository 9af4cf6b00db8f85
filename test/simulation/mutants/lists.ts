import { useCases, type Mutant } from "./mutant.ts";

/** Rules of the list that a partner reads of its payments. */
export const listMutants: readonly Mutant[] = [
  {
    name: "enters a payment in its partner's list after its commit",
    file: `${useCases}/payments/request-payment.ts`,
    find: "    await commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency, beside });\n",
    replace: `    await commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency });
    await beside();
`,
  },
  {
    name: "lists a payment for each request of its session",
    file: `${useCases}/payments/enter-session.ts`,
    find: "payment.createdAt === createdAt && payment.requestedBy === requestedBy;",
    replace: "payment.createdAt <= createdAt || payment.requestedBy === requestedBy;",
  },
  {
    name: "lists a payment of the last minute again on the next page",
    file: `${useCases}/payments/page-of-payments.ts`,
    find: "      else if (payment) seen.add(digestOf(position));\n",
    replace: "",
  },
  {
    name: "passes over a payment that is created earlier and listed later",
    file: `${useCases}/payments/page-of-payments.ts`,
    find: "const reached = lookedAt < settledAt ? lookedAt : settledAt;",
    replace: "const reached = lookedAt;",
  },
  {
    name: "goes on in a list at the entry that a page had no room for",
    file: `${useCases}/payments/page-of-payments.ts`,
    find: "if (payment && !hasRoomFor(isSettled)) return false;",
    replace: "if (payment && !hasRoomFor(isSettled)) return (lookedAt = position) === undefined;",
  },
];
