import { useCases, type Mutant } from "./mutant.ts";

const domain = "shared/domain/landing-page.ts";

/** Rules of vouchers and keys for customers: issued once, mailed at least once, and the address deleted. */
export const tokenMutants: readonly Mutant[] = [
  {
    name: "treats every token request as a new one",
    file: domain,
    find: "msBetween(earlier.createdAt, now) < REPLAY_SECONDS * 1000 && !gotNoToken(earlier);",
    replace: "msBetween(earlier.createdAt, now) < 0 && !gotNoToken(earlier);",
  },
  {
    name: "keeps the address of a mail",
    file: domain,
    find: "request: { ...request, email: undefined },",
    replace: "request: { ...request },",
  },
  {
    name: "issues tokens beyond an address's limit",
    file: `${useCases}/vouchers/count-tokens.ts`,
    find: "  if (secondsUntilAll(open, at) !== undefined) return false;",
    replace: "  if (secondsUntilAll(open, at) !== undefined) return true;",
  },
  {
    name: "overwrites the record of an address's tokens",
    file: "shared/stores/access-tokens.ts",
    find: 'read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },',
    replace: 'read ? { kind: "overwrite", rowKey, columns } : { kind: "overwrite", rowKey, columns },',
  },
  {
    name: "issues tokens beyond a template's limit",
    file: "shared/domain/issuance.ts",
    find: '  if (now.taken >= now.mostInAll) return { kind: "none", limit: "all" };\n',
    replace: "",
  },
  {
    name: "overwrites the places of a template",
    file: "shared/stores/access-token-templates.ts",
    find: '{ kind: "replace", ...shardRow(shard.shard), etag: shard.etag }',
    replace: '{ kind: "overwrite", ...shardRow(shard.shard) }',
  },
  {
    name: "gives a mail up after its first failure",
    file: `${useCases}/vouchers/mail-access-token.ts`,
    find: 'reply.kind === "failed" ? deps.mails.nextAttemptAfter(attempt) : undefined;',
    replace: 'reply.kind === "failed" && attempt > 1 ? deps.mails.nextAttemptAfter(attempt) : undefined;',
  },
  {
    name: "treats a failed mail as sent",
    file: `${useCases}/vouchers/mail-access-token.ts`,
    find: 'if (kind === "sent") return mailSent(request, now);',
    replace: 'if (kind !== "refused") return mailSent(request, now);',
  },
  {
    name: "overwrites the latest request of a button and address",
    file: "shared/stores/landing-pages.ts",
    find: '  return same ? { kind: "replace", ...latest, etag: same.etag } : { kind: "insert", ...latest };\n',
    replace: '  return { kind: "overwrite", ...latest };\n',
  },
];
