import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of the lists, and of repair, which trusts them. */
export const listingMutants: readonly Mutant[] = [
  {
    name: "lists a subject after its commit",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: `      entering && deps.listings.enter(subject, entering),
      ...(command?.effects ?? []).map((effect) => announce(deps, committing, effect)),
    ]);
    await commit();
`,
    replace: `      ...(command?.effects ?? []).map((effect) => announce(deps, committing, effect)),
    ]);
    await commit();
    if (entering) await deps.listings.enter(subject, entering);
`,
  },
  {
    name: "takes an entry off that was written anew",
    file: "shared/tables/listings-table.ts",
    find: "      await rows.remove(openListPartition(listingShardOf(subject)), listingRow(subject), etag);\n",
    replace: `      const rowKey = listingRow(subject);
      await rows.submit(openListPartition(listingShardOf(subject)), [{ kind: "discard", rowKey }]);
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
    name: "takes a payment off while a refund is pending",
    file: `${domain}/ended.ts`,
    find: '  refunds.every((refund) => refund.status !== "pending") &&\n',
    replace: "",
  },
  {
    name: "leaves it to repair to take off what is over",
    file: `${useCases}/outbox/deliver.ts`,
    find: "  if (isLast) await leaveOpenList(deps, subject);\n",
    replace: "",
  },
  {
    name: "announces a webhook again as if it had never been tried",
    file: `${useCases}/repair/repair.ts`,
    find: "attempt: isOver ? last - 1 : last }",
    replace: "attempt: 0 }",
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
