import { domain, useCases, type Mutant } from "./mutant.ts";

/** Rules of the outbox, of claims and orders, and of the inbox. */
export const protocolMutants: readonly Mutant[] = [
  // Read, announce, commit.
  {
    name: "commits before it announces",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: `      ...(command ? command.effects.map((effect) => announce(deps, committing, command, effect)) : []),
    ]);
    await commit();
`,
    replace: `    ]);
    await commit();
    if (command) await Promise.all(command.effects.map((effect) => announce(deps, committing, command, effect)));
`,
  },
  {
    name: "acknowledges before the commit",
    file: `${useCases}/payments/request-payment.ts`,
    find: "await commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency, beside });",
    replace:
      "commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency, beside }).catch(() => {});",
  },
  {
    name: "treats a conflict as its own commit",
    file: `${useCases}/outbox/announce-and-commit.ts`,
    find: 'if (!command || !isDoubtful || (await outcomeOf(deps, committing, command.commandId)) === "aborted")',
    replace: "if (!(error instanceof Conflict))",
  },
  {
    name: "commits over a tombstone",
    file: "shared/stores/commands.ts",
    find: '{ kind: "insert", rowKey: commandRow(subject, commandId), columns: commandColumns(committed) },',
    replace: '{ kind: "overwrite", rowKey: commandRow(subject, commandId), columns: commandColumns(committed) },',
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
    find: "done: [...new Set([...command.done, effect])] };",
    replace: "done: command.effects.map(effectId) };",
  },
  {
    name: "marks an effect done before it is carried out",
    file: `${useCases}/outbox/deliver.ts`,
    find: "  const outcome = await retryOnConflict(() => carryOut(work));\n",
    replace: `  await finish(deps, work, "done");
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
    file: `${useCases}/payments/request-payment.ts`,
    find: "refuseBusy(view.claim);",
    replace: "refuseBusy({});",
  },
  {
    name: "overwrites a claim that was taken meanwhile",
    file: "shared/stores/terminals.ts",
    find: ': { kind: "replace", rowKey: CLAIM_ROW, columns, etag };',
    replace: ': { kind: "overwrite", rowKey: CLAIM_ROW, columns };',
  },
  {
    name: "keeps the claim of a payment that lets its terminal go",
    file: `${useCases}/payments/commit-payment.ts`,
    find: 'before && letsGo(before, payment) ? "freed" : free;',
    replace: "before && letsGo(before, payment) ? free : free;",
  },
  {
    name: "frees another payment's claim after an import",
    file: `${useCases}/payments/commit-payment.ts`,
    find: " && !before.unclaimed;",
    replace: ";",
  },
  {
    name: "takes a request without an outcome for one that never comes",
    file: `${useCases}/payments/check-duplicate.ts`,
    find: 'return "awaited"; // an entry',
    replace: 'return "gone"; // an entry',
  },
  {
    name: "relies on its order's entry of an earlier request",
    file: `${useCases}/payments/order-holders.ts`,
    find: "  if (key) await orders.save(key,",
    replace: `  if (room.some(({ sessionId }) => sessionId === payment.sessionId)) return;
  if (key) await orders.save(key,`,
  },
  {
    name: "replaces its order's entry of an earlier request",
    file: `${useCases}/payments/order-holders.ts`,
    find: "[...room, asHolder(",
    replace: "[...room.filter(({ sessionId }) => sessionId !== payment.sessionId), asHolder(",
  },
  {
    name: "overwrites an order's list",
    file: "shared/stores/orders.ts",
    find: 'if (!read) await rows.submit(partition, [{ kind: "insert", rowKey, columns }]);',
    replace: 'if (!read || holders.length > 0) await rows.submit(partition, [{ kind: "overwrite", rowKey, columns }]);',
  },
  {
    name: "drops a look that comes before what is due",
    file: `${useCases}/payments/look-at-payment.ts`,
    find: 'lookAt === undefined ? "pointless" : { lookAt }',
    replace: 'lookAt === undefined ? "pointless" : "implied"',
  },
  {
    name: "does not look again after it acted",
    file: `${useCases}/payments/look-at-payment.ts`,
    find: 'return next ? { lookAt: next } : "implied";',
    replace: 'return "implied";',
  },
  {
    name: "does not update an order for a charge after the end",
    file: `${domain}/life/order-update.ts`,
    find: "if (holdsTerminal(before.status)) return [];",
    replace: "if (before.status) return [];",
  },
  // Messages.
  {
    name: "hands out a held message",
    file: "shared/domain/terminal-inbox.ts",
    find: "    !entry.isHeld &&\n    !heldBack",
    replace: "    !heldBack",
  },
  {
    name: "withdraws a fetched message",
    file: `${useCases}/terminals/open-messages.ts`,
    find: "return message && isUnfetched(payment, message) ? message : undefined;",
    replace: "return message;",
  },
  {
    name: "ends a payment without withdrawing its message",
    file: `${useCases}/terminals/open-messages.ts`,
    find: "{ ...change, removed };",
    replace: "{ ...change, removed: removed.slice(9) };",
  },
  {
    name: "removes a message whatever became of it since it was read",
    file: "shared/stores/inboxes.ts",
    find: '  kind: "remove",\n  rowKey: inboxRow(slot),\n  etag,\n',
    replace: '  kind: "discard",\n  rowKey: inboxRow(slot ?? etag),\n',
  },
  {
    name: "leases a message whatever became of it since it was read",
    file: "shared/stores/inboxes.ts",
    find: '{ kind: "replace", rowKey: inboxRow(row.slot), columns, etag }',
    replace: '{ kind: etag === "" ? "insert" : "overwrite", rowKey: inboxRow(row.slot), columns }',
  },
  {
    name: "files a response without its tombstone",
    file: "shared/stores/inboxes.ts",
    find: '        { kind: "insert", rowKey: filedRow(message.slot), columns: toColumns({}) },\n',
    replace: "",
  },
  {
    name: "leaves no tombstone for a missing session",
    file: `${useCases}/payments/cancel-payment.ts`,
    find: "  await deps.payments.leaveTombstone(key, at);\n",
    replace: "",
  },
  {
    name: "hands out the newest message first",
    file: "shared/use-cases/terminals/lease-next-message.ts",
    find: "nextToHandOut(rows,",
    replace: "nextToHandOut(rows.toReversed(),",
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
    find: "    heldBack.add(entry.slot.sessionId);\n",
    replace: "",
  },
  {
    name: "honours a lease of any length",
    file: "shared/domain/terminal-inbox.ts",
    find: "return left > 0 && left <= leaseSeconds * 1000;",
    replace: "return leasedUntil !== undefined;",
  },
];
