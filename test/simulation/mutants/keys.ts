import { useCases, type Mutant } from "./mutant.ts";

const file = `${useCases}/idempotency-key.ts`;

/** Rules of `Idempotency-Key`s: one request under a key is committed at most, and its key names it. */
export const keyMutants: readonly Mutant[] = [
  {
    name: "takes a key from another session without the abort",
    file,
    find: "if (read && isMissing) await",
    replace: "if (read && isMissing && isHolder(keyed, read)) await",
  },
  {
    name: "takes a key from an earlier try without the abort",
    file,
    find: "if (read && isMissing) await",
    replace: "if (read && isMissing && !isHolder(keyed, read)) await",
  },
  {
    name: "binds a key after the commit",
    file: `${useCases}/payments/request-payment.ts`,
    find: "    await commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency, beside });\n",
    replace: `    const unbound = { session, key: unheld(undefined), commandId, order: room && { room, order } };
    const first = () => enter(deps, call, payment, unbound);
    await commitPayment(deps, call, { change, before: undefined, claim, commandId, idempotency, beside: first });
    const of = { subject: paymentSubjectOf(payment), terminalId: payment.terminalId, commandId, at: payment.createdAt };
    const entry = await entryOf(deps, key, of);
    if (entry) await deps.idempotencyKeys.bind(partnerId, entry);
`,
  },
  {
    name: "binds a key whatever was bound since it was read",
    file: "shared/stores/idempotency-keys.ts",
    find: 'read ? { kind: "replace", ...own, etag: read.etag } : { kind: "insert", ...own },',
    replace: '{ kind: read ? "overwrite" : "insert", ...own },',
  },
  {
    name: "keeps the key of an aborted request",
    file,
    find: 'command.state === "ready" ? { is: "accepted", sequence: command.sequence } : { is: "aborted" }',
    replace: '{ is: "accepted", sequence: command.sequence }',
  },
  {
    name: "keeps the key of a request that never came",
    file,
    find: 'return { is: found && lacksPayment(found) ? "accepted" : "missing" };',
    replace: 'return { is: found && !lacksPayment(found) ? "missing" : "accepted" };',
  },
  {
    name: "repeats a capture whose charge has failed since",
    file,
    find: "return ok({ keyed, isAccepted: true, sequence: fate.sequence, read, isMissing: false });",
    replace: "return ok({ keyed, isAccepted: false, sequence: fate.sequence, read, isMissing: false });",
  },
  {
    name: "replays a payment as it was before the accepted change",
    file: `${useCases}/payments/under-key.ts`,
    find: "?? accepted) < accepted)",
    replace: "?? accepted) < 0)",
  },
  {
    name: "purges a key that was bound again",
    file: "shared/stores/idempotency-keys.ts",
    find: "own !== undefined && dayOf(fromRow(own, keyHolderRecord).at) < day;",
    replace: 'own !== undefined && day !== "";',
  },
  {
    name: "gives a restored key to another session",
    file,
    find: "const mayBeTaken = isMissing && (isOwn || !read.isRestored);",
    replace: "const mayBeTaken = isMissing;",
  },
  {
    name: "gives the restored key of an aborted request to another session",
    file,
    find: 'fate.is === "aborted" && (isOwn || !read.isRestored)',
    replace: 'fate.is === "aborted"',
  },
  {
    name: "forgets at the next try that a key was restored",
    file,
    find: "read?.isRestored && { isRestored: true as const }",
    replace: "{}",
  },
  {
    name: "restores no keys that a failover lost",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "await restoreKeys(tables.sessions, keyed);",
    replace: "",
  },
  {
    name: "leaves a restored key to an earlier request",
    file: "infra/operator/backup/restored-keys.ts",
    find: '    await sessions.submit(partitionKey, [{ kind: "overwrite", rowKey, columns }]);\n',
    replace:
      '    if (!(await sessions.get(partitionKey, rowKey))) await sessions.submit(partitionKey, [{ kind: "insert", rowKey, columns }]);\n',
  },
];
