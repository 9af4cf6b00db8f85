/** One rule of the product broken, as a change of its source; `find` must be in the file exactly once. */
export interface Mutant {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const useCases = "shared/use-cases";

/** Each breaks one rule that the design needs; the simulation must notice every one. */
export const mutants: readonly Mutant[] = [
  // Read, announce, commit.
  {
    name: "commits before it announces",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: `    await Promise.all((command?.effects ?? []).map((effect) => announce(deps, committing, effect)));
    await commit();
`,
    replace: `    await commit();
    await Promise.all((command?.effects ?? []).map((effect) => announce(deps, committing, effect)));
`,
  },
  {
    name: "acknowledges before the commit",
    file: `${useCases}/payments/request-payment.ts`,
    find: "await commitPayment(deps, call, { change, etag: undefined, commandId });",
    replace: "commitPayment(deps, call, { change, etag: undefined, commandId }).catch(() => {});",
  },
  {
    name: "takes a conflict for its own commit",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: 'if (!command || !isDoubtful || (await outcomeOf(deps, committing.subject, command.commandId)) === "aborted")',
    replace: "if (!(error instanceof Conflict))",
  },
  {
    name: "commits over a void",
    file: "shared/tables/payments-table.ts",
    find: 'operations.push({ kind: "insert", rowKey: commandRow(command.commandId)',
    replace: 'operations.push({ kind: "overwrite", rowKey: commandRow(command.commandId)',
  },
  {
    name: "files the message in the request",
    file: `${useCases}/payments/request-payment.ts`,
    find: "  try {\n    await commitPayment(",
    replace: `  const { payment: { terminalId, createdAt, sessionId }, effects: [{ message, expiresAt }] } = change;
  const filed = { place: { createdAt, sessionId, sequence: 1 }, messageId: commandId, message, expiresAt };
  await deps.inboxes.admit(terminalId, filed, { ...key, commandId }, view.claim);
  try {
    await commitPayment(`,
  },
  // Deliver.
  {
    name: "drops what is not there without a tombstone",
    file: `${useCases}/outbox/deliver.ts`,
    find: "  if (!command) {\n    await insertTombstone",
    replace: "  if (!command) return undefined;\n  if (!command) {\n    await insertTombstone",
  },
  {
    name: "does not wait for the commit window",
    file: `${useCases}/outbox/deliver.ts`,
    find: "if (!command && isWithinWindow(deps, delivery)) {",
    replace: "if (!command) return undefined;\n  if (!command) {",
  },
  {
    name: "marks the whole command done with one effect",
    file: "shared/tables/commands-table.ts",
    find: "done: [...command.done, effectId]",
    replace: 'done: ["admission", "message", "release", "deadline~acceptance", "deadline~answer", effectId]',
  },
  {
    name: "throws on a passing failure",
    file: `${useCases}/outbox/deliver.ts`,
    find: "    await backOff(deps, delivery, error);",
    replace: "    throw error;",
  },
  {
    name: "is a dead letter after ten deliveries",
    file: "infra/service-bus/overrides.json",
    find: '"MaxDeliveryCount": 50',
    replace: '"MaxDeliveryCount": 10',
  },
  // Claims and orders.
  {
    name: "does not look whether the terminal is held",
    file: `${useCases}/payments/claim-terminal.ts`,
    find: 'return holder && holdsTerminal(holder.payment.status) ? "terminalBusy" : undefined;',
    replace: "return undefined;",
  },
  {
    name: "trusts a claim without looking at its holder",
    file: `${useCases}/payments/claim-terminal.ts`,
    find: 'return holder && holdsTerminal(holder.payment.status) ? "terminalBusy" : undefined;',
    replace: 'return claim && !isSamePayment(claim, payment) ? "terminalBusy" : undefined;',
  },
  {
    name: "overwrites a claim that was taken meanwhile",
    file: "shared/tables/inboxes-table.ts",
    find: '{ kind: "replace", rowKey: CLAIM_ROW, columns, etag: held.etag }\n          : { kind: "insert", rowKey: CLAIM_ROW, columns }',
    replace:
      '{ kind: "overwrite", rowKey: CLAIM_ROW, columns }\n          : { kind: "overwrite", rowKey: CLAIM_ROW, columns }',
  },
  {
    name: "overwrites an order's list",
    file: "shared/tables/orders-table.ts",
    find: 'if (!read) return rows.submit(partition, [{ kind: "insert", rowKey, columns }]);',
    replace:
      'if (!read || holders.length > 0) return rows.submit(partition, [{ kind: "overwrite", rowKey, columns }]);',
  },
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
  {
    name: "turns away without a tombstone",
    file: `${useCases}/payments/claim-terminal.ts`,
    find: "  await deps.inboxes.withdraw(stored.payment.terminalId, placeOf(stored.payment), undefined, reason);\n",
    replace: "",
  },
  {
    name: "never releases a terminal",
    file: `${useCases}/payments/release-claims.ts`,
    find: "  if (claim && isSamePayment(claim, payment)) await terminals.releaseClaim(payment.terminalId, claim);\n",
    replace: "",
  },
  // Withdrawal and fences.
  {
    name: "withdraws a place without taking it",
    file: "shared/tables/inboxes-table.ts",
    find: '          : [{ kind: "insert", rowKey, columns }],',
    replace: "          : [],",
  },
  {
    name: "withdraws only what is there already",
    file: `${useCases}/terminals/withdraw-message.ts`,
    find: "  await inboxes.withdraw(terminalId, place, filing?.row);",
    replace: "  if (filing) await inboxes.withdraw(terminalId, place, filing.row);",
  },
  {
    name: "withdraws what was fetched",
    file: `${useCases}/terminals/withdraw-message.ts`,
    find: 'if (filing && filing.row?.state !== "waiting") return false;',
    replace: "if (filing && !filing.row) return false;",
  },
  {
    name: "leaves no tombstone for a session that is absent",
    file: `${useCases}/payments/cancel-payment.ts`,
    find: "await leaveTombstone(deps, call, target);",
    replace: "await Promise.resolve();",
  },
  {
    name: "sweeps the guard away with the row",
    file: "shared/tables/inboxes-table.ts",
    find: "      await rows.remove(terminalPartition(terminalId), inboxRow(row.place), row.etag);\n",
    replace: `      await rows.remove(terminalPartition(terminalId), inboxRow(row.place), row.etag);
      await rows.submit(terminalPartition(terminalId), [{ kind: "discard", rowKey: filedRow(row.place) }]);\n`,
  },
  // The inbox.
  {
    name: "changes inbox rows without their ETag",
    file: "shared/tables/inboxes-table.ts",
    find: 'return { kind: "replace", rowKey: inboxRow(row.place), columns, etag };',
    replace: 'return { kind: "overwrite", rowKey: inboxRow(row.place), columns };',
  },
  {
    name: "does not mark what was fetched",
    file: "shared/tables/inboxes-table.ts",
    find: 'state: "fetched", leasedUntil: until',
    replace: "state: row.state, leasedUntil: until",
  },
  {
    name: "does not hold back behind a lease",
    file: "shared/domain/terminal-inbox.ts",
    find: "    heldBack.add(sessionId);\n",
    replace: "",
  },
  {
    name: "hands out the newest message first",
    file: "shared/tables/inboxes-table.ts",
    find: ".map(toInboxRow);",
    replace: ".map(toInboxRow).toReversed();",
  },
  {
    name: "honours a lease of any length",
    file: "shared/domain/terminal-inbox.ts",
    find: "return left > 0 && left <= leaseSeconds * 1000;",
    replace: "return leasedUntil !== undefined;",
  },
  {
    name: "hands out a payment that was called off",
    file: "shared/domain/terminal-inbox.ts",
    find: "!(isExpired(entry, now) || isCalledOff(entry, entries))",
    replace: "!isExpired(entry, now)",
  },
  {
    name: "hands out a payment after its time",
    file: "shared/domain/terminal-inbox.ts",
    find: "!(isExpired(entry, now) || isCalledOff(entry, entries))",
    replace: "!isCalledOff(entry, entries)",
  },
  // Reports.
  {
    name: "does not remember reports",
    file: "shared/tables/payments-table.ts",
    find: "if (entry.reportId !== undefined) {",
    replace: "if (entry.reportId === null) {",
  },
  {
    name: "settles only on the first report",
    file: `${useCases}/payments/record-report.ts`,
    find: "    await acknowledgeMessages(deps, terminalId, settled);\n",
    replace: "    if (!amended.value.replayed) await acknowledgeMessages(deps, terminalId, settled);\n",
  },
  {
    name: "settles only the message that a report names",
    file: "shared/domain/payment/answered.ts",
    find: "  const meant = kinds.flatMap(",
    replace: "  const meant = kinds.slice(9).flatMap(",
  },
  {
    name: "forgets a payment that was called off",
    file: "shared/domain/payment/answered.ts",
    find: 'if (message.type === "payment") return isBegunOrOver;',
    replace: 'if (message.type === "payment") return false;',
  },
  {
    name: "takes every approval for a new one",
    file: "shared/domain/payment/approvals.ts",
    find: '  if (known) return record(payment, { ...step, event: "authorized", alert: !isSame });\n',
    replace: "",
  },
  {
    name: "forgets a cancel once it is reconciling",
    file: "shared/domain/payment/transitions.ts",
    find: 'authorized: approvedLate,\n    authorizedOtherAmount: approvedOtherAmount,\n    ...amountSaid("reconciling"),',
    replace:
      'authorized: approvedInTime,\n    authorizedOtherAmount: approvedOtherAmount,\n    ...amountSaid("reconciling"),',
  },
  {
    name: "keeps an approval of another amount",
    file: "shared/domain/payment/transitions.ts",
    find: 'const approvedOtherAmount = again("voidRequested", { reason: "amountMismatch" });',
    replace: 'const approvedOtherAmount = to("captured");',
  },
  // Refunds and webhooks.
  {
    name: "refunds more than was captured",
    file: "shared/domain/payment/refund.ts",
    find: " - refundedAmount(payment) - refundPendingAmount(payment);",
    replace: " - refundedAmount(payment);",
  },
  {
    name: "does not know a refund by its name",
    file: "shared/domain/payment/refund.ts",
    find: "const [meant, ...others] = request.names.map((name) => refunds.find((r) => isNamed(r, name)));",
    replace: "const [meant, ...others] = [];",
  },
  {
    name: "does not know a refund by the refundID of its answer",
    file: "shared/domain/payment/refund.ts",
    find: "name === refundId || names.includes(name)",
    replace: "names.includes(name)",
  },
  {
    name: "takes another spelling for another refund",
    file: "shared/domain/payment/refund.ts",
    find: "const names = [refundId?.toLowerCase(), ",
    replace: "const names = [refundId, ",
  },
  {
    name: "forgets the key that came with a refundID",
    file: "shared/domain/payment/refund.ts",
    find: "names: names.filter((name) => name !== undefined),",
    replace: "names: names.filter((name) => name !== undefined).slice(0, 1),",
  },
  {
    name: "replays a refund for whatever comes under its name",
    file: "shared/domain/payment/refund.ts",
    find: "return isSame(meant, request) ?",
    replace: "return meant ?",
  },
  {
    name: "lets a new name pass beside a known one",
    file: "shared/domain/payment/refund.ts",
    find: "if (others.some((other) => other !== meant)) {",
    replace: "if (others.some((other) => other && meant && other !== meant)) {",
  },
  {
    name: "takes every refund without a name for a new one",
    file: "shared/domain/payment/refund.ts",
    find: "if (!like) return undefined;",
    replace: "return undefined;",
  },
  {
    name: "takes a report for the first refund that is pending",
    file: "shared/domain/payment/reports.ts",
    find: "payment.refunds.find((r) => r.commandId === messageId) ??",
    replace: 'payment.refunds.find((r) => r.status === "pending") ??',
  },
  {
    name: "sends a new webhook-id with each attempt",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "return webhooks.send({ ...to, id, body, secrets });",
    replace: "return webhooks.send({ ...to, id: `${id}_${to.at}`, body, secrets });",
  },
  {
    name: "gives a webhook up after its first failure",
    file: `${useCases}/webhooks/deliver-webhook.ts`,
    find: "isLast(deps, record) ? undefined : deps.webhooks.nextAttemptAfter(attempt, retryAfter)",
    replace: "undefined as number | undefined",
  },
  // Vouchers.
  {
    name: "offers a voucher that it did not reserve",
    file: `${useCases}/vouchers/reserve-voucher.ts`,
    find: "const isReserved = offered !== undefined && (await reserve(deps, call, key, voucher));",
    replace: "const isReserved = offered !== undefined;",
  },
  {
    name: "takes another payment's voucher for its own",
    file: `${useCases}/vouchers/reserve-voucher.ts`,
    find: "if (isSameUse(stored.token.use, use)) return true;",
    replace: "if (stored.token.use) return true;",
  },
  {
    name: "gives back a voucher that another payment holds",
    file: `${useCases}/vouchers/redeem-or-release-voucher.ts`,
    find: 'if (!isSameUse(token.use, use) || fate === "held") return "done";',
    replace: 'if (fate === "held") return "done";',
  },
  {
    name: "settles no voucher",
    file: "shared/domain/payment/advance.ts",
    find: '...decidedVouchers(payment, next).map((voucher): Effect<"payment"> => ({ kind: "settlement", ...voucher })),',
    replace: "",
  },
  {
    name: "thinks a voucher free while its payment is approved",
    file: "shared/domain/payment/voucher-use.ts",
    find: 'return isFinal(payment.status) ? "free" : "held";',
    replace: 'return payment.status === "pending" || payment.status === "inProgress" ? "held" : "free";',
  },
  // Alerts.
  {
    name: "takes a refund that was never requested for its own",
    file: "shared/domain/payment/transitions.ts",
    find: "unknown: { refunded: contradicts, refundFailed: agrees },",
    replace: "unknown: { refunded: agrees, refundFailed: agrees },",
  },
  {
    name: "marks a change and raises no alert",
    file: "shared/domain/payment/advance.ts",
    find: "effects: [...(step.effects ?? []), ...raised(step)],",
    replace: "effects: [...(step.effects ?? [])],",
  },
  {
    name: "keeps no alert",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: "  if (alert) await alerts.save(alert, read);\n",
    replace: "",
  },
  {
    name: "counts an alert with every delivery",
    file: "shared/domain/alert.ts",
    find: "  if (sequence <= alert.countedUpTo || alert.raisedBy.includes(sequence)) return undefined;\n",
    replace: "",
  },
  {
    name: "overwrites an alert that was raised meanwhile",
    file: "shared/tables/alerts-table.ts",
    find: '{ kind: "replace", ...alertItself, etag: read.etag }',
    replace: '{ kind: "overwrite", ...alertItself }',
  },
  {
    name: "keeps an alert that is not listed",
    file: "shared/tables/alerts-table.ts",
    find: "if (wasOpen === isOpen) return [];",
    replace: "return [];",
  },
  {
    name: "writes the line of an alert with its row only",
    file: `${useCases}/alerts/raise-alert.ts`,
    find: "  operatorLog.raised(",
    replace: "  if (alert) operatorLog.raised(",
  },
  // The other side of the bargain: the simulated terminal must be one that keeps it.
  {
    name: "a terminal obeys repeated messages",
    file: "test/simulation/actors/terminal.ts",
    find: "    if (answers) return answers.forEach(send);\n",
    replace: "",
  },
];
