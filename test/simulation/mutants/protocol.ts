import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of the outbox, of claims and orders, and of the inbox. */
export const protocolMutants: readonly Mutant[] = [
  // Read, announce, commit.
  {
    name: "commits before it announces",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: `      ...(command?.effects ?? []).map((effect) => announce(deps, committing, effect)),
    ]);
    await commit(entry);
`,
    replace: `    ]);
    await commit(entry);
    await Promise.all((command?.effects ?? []).map((effect) => announce(deps, committing, effect)));
`,
  },
  {
    name: "acknowledges before the commit",
    file: `${useCases}/payments/request-payment.ts`,
    find: "await commitPayment(deps, call, { change, etag: undefined, commandId, beside });",
    replace: "commitPayment(deps, call, { change, etag: undefined, commandId, beside }).catch(() => {});",
  },
  {
    name: "treats a conflict as its own commit",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: 'if (!command || !isDoubtful || (await outcomeOf(deps, subject, command.commandId)) === "aborted")',
    replace: "if (!(error instanceof Conflict))",
  },
  {
    name: "commits over a tombstone",
    file: "shared/stores/commands.ts",
    find: 'return { kind: "insert", rowKey: commandRow(subject, command.commandId), columns };',
    replace: 'return { kind: "overwrite", rowKey: commandRow(subject, command.commandId), columns };',
  },
  {
    name: "enqueues the message in the request",
    file: `${useCases}/payments/request-payment.ts`,
    find: "  let isEntered = false;\n",
    replace: `  const [effect] = change.effects;
  if (effect?.kind === "admission") {
    const { inboxes } = deps as unknown as import("./claim-terminal.ts").ClaimTerminalDeps;
    const { terminalId, createdAt, sessionId } = change.payment;
    const message = { ...effect, slot: { createdAt, sessionId, sequence: 1 }, messageId: commandId };
    const claim = { ...keyOf(call, request), commandId };
    await inboxes.admit(terminalId, message, claim, (await deps.terminals.find(terminalId))?.claim);
  }
  let isEntered = false;\n`,
  },
  // Deliver.
  {
    name: "drops a missing command without a tombstone",
    file: `${useCases}/outbox/committed-command.ts`,
    find: "  if (!found) {\n    await insertTombstone",
    replace: "  if (!found) return undefined;\n  if (!found) {\n    await insertTombstone",
  },
  {
    name: "does not wait for the commit window",
    file: `${useCases}/outbox/committed-command.ts`,
    find: "if (!found && isWithinWindow(deps, delivery)) {",
    replace: "if (!found) return undefined;\n  if (!found) {",
  },
  {
    name: "marks the whole command done with one effect",
    file: "shared/stores/commands.ts",
    find: "const done = [...new Set([...command.done, effectId])];",
    replace: 'const done = ["message", "orderUpdate", effectId];',
  },
  {
    name: "marks an effect done before it is carried out",
    file: `${useCases}/outbox/deliver.ts`,
    find: "  const outcome = await retryOnConflict(() => carryOut(work));\n",
    replace: `  await finish(deps, announcement, found, "done");
  const outcome = await retryOnConflict(() => carryOut(work));\n`,
  },
  {
    name: "throws at a temporary failure",
    file: `${useCases}/outbox/deliver.ts`,
    find: "    await backOff(deps,",
    replace: "    if (tries) throw error;\n    await backOff(deps,",
  },
  {
    name: "ignores a dependency's refusal of invalid input",
    file: `${useCases}/outbox/deliver.ts`,
    find: "    const { announcement, enqueuedAt } = delivery;\n    const failed =",
    replace:
      '    if (!(error instanceof Unavailable)) return { outcome: "done" };\n    const { announcement, enqueuedAt } = delivery;\n    const failed =',
  },
  {
    name: "drops a message of a later version",
    file: `${useCases}/outbox/forward-unread.ts`,
    find: "  await keepUntilTaken({ clock, log }, () => rawMessages.send(queue, next, after(enqueuedAt, PAUSE_SECONDS)));",
    replace: "",
  },
  {
    name: "treats a row of a later version as invalid",
    file: "shared/stores/record.ts",
    find: "throw new Unavailable(why, { isVersionAhead: true });",
    replace: "throw new Error(why);",
  },
  {
    name: "dead-letters a message after ten deliveries",
    file: "infra/azure/service-bus/overrides.json",
    find: '"MaxDeliveryCount": 50',
    replace: '"MaxDeliveryCount": 10',
  },
  // Claims and orders.
  {
    name: "does not check whether the terminal is held",
    file: `${useCases}/payments/claim-terminal.ts`,
    find: 'return holder && holdsTerminal(holder.payment.status) ? "terminalBusy" : undefined;',
    replace: "return undefined;",
  },
  {
    name: "trusts a claim without reading its holder",
    file: `${useCases}/payments/request-payment.ts`,
    find: "  if (busy) return refuse(busy);\n",
    replace: '  if (view.claim) return refuse({ code: "terminal_busy", retryAfterSeconds: 5 });\n',
  },
  {
    name: "overwrites a claim that was taken meanwhile",
    file: "shared/stores/inboxes.ts",
    find: '{ kind: "replace", rowKey: CLAIM_ROW, columns, etag: held.etag }\n          : { kind: "insert", rowKey: CLAIM_ROW, columns }',
    replace:
      '{ kind: "overwrite", rowKey: CLAIM_ROW, columns }\n          : { kind: "overwrite", rowKey: CLAIM_ROW, columns }',
  },
  {
    name: "overwrites an order's list",
    file: "shared/stores/orders.ts",
    find: 'if (!read) await rows.submit(partition, [{ kind: "insert", rowKey, columns }]);',
    replace: 'if (!read || holders.length > 0) await rows.submit(partition, [{ kind: "overwrite", rowKey, columns }]);',
  },
  {
    name: "expects an order's list to be free although it has holders",
    file: `${useCases}/payments/request-payment.ts`,
    find: "  if (order && order.holders.length > 0) return undefined;\n",
    replace: "",
  },
  {
    name: "takes an order whose list was written since the request",
    file: `${useCases}/payments/claim-terminal.ts`,
    find: "await deps.orders.save(orderKey, [holder], etag === undefined ? undefined : { holders: [], etag });",
    replace: `const now = await deps.orders.find(orderKey);
      await deps.orders.save(orderKey, [...(now?.holders ?? []), holder], now);`,
  },
  {
    name: "drops a look that comes before what is due",
    file: `${useCases}/payments/payment-subject.ts`,
    find: "return next === undefined || next > at ? { next } : undefined;",
    replace: "return next === undefined || next > at ? { next: undefined } : undefined;",
  },
  {
    name: "does not look again after it acted",
    file: `${useCases}/payments/look-at-payment.ts`,
    find: 'return next ? { lookAt: next.at } : "implied";',
    replace: 'return "implied";',
  },
  {
    name: "keeps a deadline that it acted on",
    file: `${domain}/reports/overdue.ts`,
    find: "const payment = withoutDeadline(before, deadline);",
    replace: "const payment = before;",
  },
  {
    name: "does not update an order for a charge after the end",
    file: `${domain}/life/order-update.ts`,
    find: 'if (by === "terminal" && before.status !== "pending" && holdsTerminal(before.status)) return [];',
    replace: 'if (by === "terminal") return [];',
  },
  // Withdrawal and tombstones.
  {
    name: "withdraws a slot without its tombstone",
    file: "shared/stores/inboxes.ts",
    find: ' : [{ kind: "insert", rowKey, columns }];',
    replace: " : [];",
  },
  {
    name: "withdraws only existing messages",
    file: `${useCases}/terminals/withdraw-message.ts`,
    find: "  await inboxes.withdraw(terminalId, slot, slotState?.row);",
    replace: "  if (slotState) await inboxes.withdraw(terminalId, slot, slotState.row);",
  },
  {
    name: "withdraws a fetched message",
    file: `${useCases}/terminals/withdraw-message.ts`,
    find: 'if (slotState && slotState.row?.state !== "waiting") return false;',
    replace: "if (slotState && !slotState.row) return false;",
  },
  {
    name: "leaves no tombstone for a missing session",
    file: `${useCases}/payments/cancel-payment.ts`,
    find: "  if (view?.terminal.partnerId === partnerId) await leaveTombstone(deps, call, key);\n",
    replace: "",
  },
  {
    name: "removes the tombstone together with the row",
    file: "shared/stores/inboxes.ts",
    find: "      await rows.remove(terminalPartition(terminalId), inboxRow(row.slot), row.etag);\n",
    replace: `      await rows.remove(terminalPartition(terminalId), inboxRow(row.slot), row.etag);
      await rows.submit(terminalPartition(terminalId), [{ kind: "discard", rowKey: slotRow(row.slot) }]);\n`,
  },
  // The inbox.
  {
    name: "changes inbox rows without their ETag",
    file: "shared/stores/inboxes.ts",
    find: 'return { kind: "replace", rowKey: inboxRow(row.slot), columns, etag };',
    replace: 'return { kind: "overwrite", rowKey: inboxRow(row.slot), columns };',
  },
  {
    name: "does not mark a fetched message",
    file: "shared/stores/inboxes.ts",
    find: 'state: "fetched", leasedUntil: until',
    replace: "state: row.state, leasedUntil: until",
  },
  {
    name: "does not hold messages back behind a lease",
    file: "shared/domain/terminal-inbox.ts",
    find: "    heldBack.add(sessionId);\n",
    replace: "",
  },
  {
    name: "hands out the newest message first",
    file: "shared/stores/inboxes.ts",
    find: ".map(toInboxRow);",
    replace: ".map(toInboxRow).toReversed();",
  },
  {
    name: "honours a lease of any length",
    file: "shared/domain/terminal-inbox.ts",
    find: "return left > 0 && left <= leaseSeconds * 1000;",
    replace: "return leasedUntil !== undefined;",
  },
];
