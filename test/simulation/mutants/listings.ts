import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of the lists, and of repair, which depends on them. */
export const listingMutants: readonly Mutant[] = [
  {
    name: "lists a subject after its commit",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: "    await commit(entry);\n",
    replace: `    if (entry) await deps.listings.leaveOpen({ subject, etag: entry });
    await commit(entry);
    if (entering) await deps.listings.enter(subject, entering);
`,
  },
  {
    name: "removes an entry without writing its subject as unlisted",
    file: `${useCases}/outbox/leave-open-list.ts`,
    find: "  await standing.unlist();\n",
    replace: "",
  },
  {
    name: "removes a subject from the list with an effect to carry out",
    file: `${useCases}/outbox/leave-open-list.ts`,
    find: '  if (!(await deps.commands.ofSubject(subject)).every(isCarriedOut)) return "stays";\n',
    replace: "",
  },
  {
    name: "removes a payment from the list with another command to carry out",
    file: `${useCases}/outbox/leave-open-list.ts`,
    find: "  if (isLeftToOthers) return;\n",
    replace: "",
  },
  {
    name: "writes an ended payment as still listed",
    file: `${useCases}/payments/commit-payment.ts`,
    find: "const payment = isLeft ? { ...record, listedOn: undefined, listedAs: undefined } : { ...record, listedAs };",
    replace: "const payment = { ...record, listedAs };",
  },
  {
    name: "removes a payment from the list while a refund is pending",
    file: `${domain}/record/ended.ts`,
    find: '  refunds.every((refund) => refund.status !== "pending") &&\n',
    replace: "",
  },
  {
    name: "leaves ended subjects on the list for repair",
    file: `${useCases}/outbox/deliver.ts`,
    find: "  if (leaves !== undefined) await leaveAfterCommand(deps, { ...command, leaves }, others);\n",
    replace: "",
  },
  {
    name: "treats a payment without a deadline as under way",
    file: `${useCases}/operator/repair/list-payments.ts`,
    find: "isStuck: payment.deadlines.length === 0 && !paymentHasEnded(payment)",
    replace: "isStuck: false",
  },
  {
    name: "does not announce future deadlines again",
    file: `${useCases}/operator/repair/repair.ts`,
    find: "all || isOverdue(one, now)",
    replace: "isOverdue(one, now) || (all && dueOf(one.effect) === undefined)",
  },
];
