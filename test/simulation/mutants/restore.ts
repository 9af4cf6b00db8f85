import { type Mutant } from "./mutant.ts";

/** Rules of a restore: the terminal is queried before any pending work of the imported books is carried out. */
export const restoreMutants: readonly Mutant[] = [
  {
    name: "hands out messages before a restored session's query is answered",
    file: "shared/domain/terminal-inbox.ts",
    find: "    (comesFirst(entry) || !queried.has(entry.slot.sessionId)) &&\n",
    replace: "",
  },
  {
    name: "counts on after a restore without leaving out sequences",
    file: "shared/domain/payment/operator/restore.ts",
    find: "exported + LOST_SEQUENCES;",
    replace: "exported + LOST_SEQUENCES - LOST_SEQUENCES;",
  },
  {
    name: "imports open payments without a query",
    file: "infra/operator/backup/import-tables.ts",
    find: "await eachOf(open, ({ key, sequence }) => queryFirst(deps, call, key, sequence));",
    replace: "",
  },
  {
    name: "takes for entered what the feed of a failover lacks",
    file: "infra/operator/backup/last-day.ts",
    find: "return !events.has(effect.eventId);",
    replace: "return false;",
  },
  {
    name: "leaves sessions as a failover has them",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "await insertMissing(tables.sessions, entriesOf(payment));",
    replace: "",
  },
  {
    name: "lets every payment free the terminal that held it in an export",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "unclaimed: true } }",
    replace: "unclaimed: undefined } }",
  },
  {
    name: "restores no alert that was raised during the export",
    file: "infra/operator/backup/last-day.ts",
    find: '    case "alert": // alerts are read before payments\n',
    replace: "",
  },
  {
    name: "restores no message that a payment awaits",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "...due.map((message) =>",
    replace: "...due.slice(0, 0).map((message) =>",
  },
  {
    name: "restores the messages that an export has",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "if (!row.rowKey.startsWith(INBOX_PREFIX)) return false;",
    replace: "if (row.rowKey !== CLAIM_ROW) return false;",
  },
  {
    name: "leaves orders as a failover has them",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "if (recent || !paymentHasEnded(payment)) await",
    replace: "if (false) await",
  },
];
