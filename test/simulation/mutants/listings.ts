import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of the lists, and of repair, which trusts them. */
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
    name: "takes an entry off without writing its subject as unlisted",
    file: `${useCases}/outbox/leave-open-list.ts`,
    find: "    await ended.unlist();\n",
    replace: "",
  },
  {
    name: "takes a subject off while an effect is not carried out",
    file: `${useCases}/outbox/leave-open-list.ts`,
    find: '    if (!(await deps.commands.ofSubject(subject)).every(isCarriedOut)) return "stays";\n',
    replace: "",
  },
  {
    name: "takes a payment off while another of its commands is not carried out",
    file: `${useCases}/outbox/leave-open-list.ts`,
    find: "  if (isLeftToOthers) return;\n",
    replace: "",
  },
  {
    name: "writes a payment that has ended as listed still",
    file: `${useCases}/outbox/commit-payment.ts`,
    find: "const payment = isLeft ? { ...record, listedOn: undefined, listedAs: undefined } : { ...record, listedAs };",
    replace: "const payment = { ...record, listedAs };",
  },
  {
    name: "takes a payment off while a refund is pending",
    file: `${domain}/ended.ts`,
    find: '  refunds.every((refund) => refund.status !== "pending") &&\n',
    replace: "",
  },
  {
    name: "leaves it to repair to take off what is over",
    file: `${useCases}/outbox/deliver.ts`,
    find: "  if (leaves !== undefined) await leaveAfterCommand(deps, { ...command, leaves }, others);\n",
    replace: "",
  },
  {
    name: "takes what has no deadline left for under way",
    file: `${useCases}/repair/list-payments.ts`,
    find: "isStuck: !isWaiting && !paymentHasEnded(payment)",
    replace: "isStuck: false",
  },
  {
    name: "does not announce deadlines to come again",
    file: `${useCases}/repair/repair.ts`,
    find: "all || isOverdue(one, now)",
    replace: 'isOverdue(one, now) || (all && one.effect.kind !== "deadline")',
  },
];
