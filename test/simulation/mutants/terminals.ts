import { useCases, type Mutant } from "./mutant.ts";

/** Rules of terminals that restart, and of their reports. */
export const terminalMutants: readonly Mutant[] = [
  {
    name: "sends no status query after a restart",
    file: `${useCases}/payments/requery-after-restart.ts`,
    find: "    if (holder) await requery(deps, call, { ...holder, partnerId, terminalId }, restart);\n",
    replace: "",
  },
  {
    name: "acknowledges a message before its report is committed",
    file: `${useCases}/payments/record-report.ts`,
    find: "  return { report: { ...report, messageId }, known, ",
    replace: `  const answered = { sequence: payment.sequence + 1, messageId, payment };
  await deps.inboxes.remove(key.terminalId, acknowledgedBy({ ...report, messageId }, answered, open ?? []));
  return { report: { ...report, messageId }, known, `,
  },
  {
    name: "treats a charge named in capitals as another",
    file: "shared/contracts/requests/terminal-report.ts",
    find: "chargeId: body.chargeID && canonical(body.chargeID),",
    replace: "chargeId: body.chargeID,",
  },
  {
    name: "does not recognise a message named in capitals",
    file: "shared/contracts/requests/terminal-report.ts",
    find: "messageId: body.messageID && canonical(body.messageID),",
    replace: "messageId: body.messageID,",
  },
  {
    name: "compares identifiers as received",
    file: "shared/contracts/identifier.ts",
    find: "received.toLowerCase();",
    replace: "received;",
  },
];
