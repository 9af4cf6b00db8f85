import { domain, useCases, type Mutant } from "./mutant.ts";

const marks = "shared/stores/marks.ts";
const commands = "shared/stores/commands.ts";

/** Rules of marks, and of repair, which depends on them. */
export const markMutants: readonly Mutant[] = [
  {
    name: "leaves an ended subject marked as open",
    file: marks,
    find: 'if (wasOpen && after.hasEnded) marks.push({ kind: "discard", rowKey });',
    replace: "",
  },
  {
    name: "marks no subject as open that is open again after its end",
    file: marks,
    find: "if (!wasOpen && !after.hasEnded)",
    replace: "if (before === undefined && !after.hasEnded)",
  },
  {
    name: "marks only new subjects as changed",
    file: marks,
    find: "if (!before || dayOf(before.updatedAt) !== day)",
    replace: "if (!before)",
  },
  {
    name: "marks a payment as ended while a refund is pending",
    file: `${domain}/record/ended.ts`,
    find: '  refunds.every((refund) => refund.status !== "pending") &&\n',
    replace: "",
  },
  {
    name: "removes a command's mark with its first effect",
    file: commands,
    find: "const isLast = isCarriedOut(marked) && !isCarriedOut(command);",
    replace: "const isLast = command.done.length === 0;",
  },
  {
    name: "leaves a carried out command marked as open",
    file: commands,
    find: "const isLast = isCarriedOut(marked) && !isCarriedOut(command);",
    replace: "const isLast = isCarriedOut(command);",
  },
  {
    name: "marks a command only by the state of its subject",
    file: commands,
    find: "...(isCarriedOut(committed) ? [] : [commandMark(subject, commandId)]),",
    replace: "",
  },
  {
    name: "aborts a command without marking its subject",
    file: commands,
    find: "      changedMark(subject, dayOf(at)),\n",
    replace: "",
  },
  {
    name: "leaves a tombstone without marking its session",
    file: "shared/stores/payments.ts",
    find: "        changedMark(paymentSubjectOf(key), dayOf(at)),\n",
    replace: "",
  },
  {
    name: "lists a landing page after its first request",
    file: `${useCases}/vouchers/request-access-token.ts`,
    find: "    beside: isNew ? () => deps.landingPages.enlist(landingPageId) : undefined,\n",
    replace: "",
  },
  {
    name: "restores no mark of an open payment",
    file: "infra/operator/backup/restored-marks.ts",
    find: "...(hasEnded ? [] : [openRow(subject)]),",
    replace: '...(hasEnded || subject.kind === "payment" ? [] : [openRow(subject)]),',
  },
  {
    name: "restores no mark of a command",
    file: "infra/operator/backup/restored-marks.ts",
    find: "    ...undone.map(({ commandId }) => openCommandRow(subject, commandId)),\n",
    replace: "",
  },
  {
    name: "restores no mark of a session without a payment",
    file: "infra/operator/backup/restored-terminals.ts",
    find: ": [...rows, ...marksWithoutPayment(rows)];",
    replace: ": rows;",
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
    find: "all || isOverdue(one, at)",
    replace: "isOverdue(one, at) || (all && dueOf(one.effect) === undefined)",
  },
];
