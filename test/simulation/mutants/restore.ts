import { type Mutant } from "./mutant.ts";

/** Rules of a restore: the terminal is queried before anything that the imported books hold as to be done. */
export const restoreMutants: readonly Mutant[] = [
  {
    name: "hands out messages before a restored session's query is answered",
    file: "shared/domain/terminal-inbox.ts",
    find: "if (queried.has(sessionId) && !comesFirst(entry)) continue;",
    replace: "if (queried.has(sessionId) && isTakenOut(entry)) continue;",
  },
  {
    name: "counts on after a restore without leaving out sequences",
    file: "shared/domain/payment/restore.ts",
    find: "exported + LOST_SEQUENCES;",
    replace: "exported + LOST_SEQUENCES - LOST_SEQUENCES;",
  },
];
