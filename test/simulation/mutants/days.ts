import { type Mutant } from "./mutant.ts";

const file = "shared/domain/terminal-day/changes.ts";
const comparing = "shared/use-cases/terminal-days/compare-day.ts";

/** Rules of terminals' business days: a closed day is equal, and a day that is not equal raises an alert. */
export const dayMutants: readonly Mutant[] = [
  {
    name: "closes a day whose sums differ from its books",
    file: "shared/domain/terminal-day/totals.ts",
    find: "if (terminal.count === books.count && terminal.amount === books.amount) return [];",
    replace: "if (terminal.count === books.count) return [];",
  },
  {
    name: "leaves a day as it is when a booking comes after its totals",
    file: comparing,
    find: 'if (read?.terminalDay) return read.terminalDay.closing ? compare(deps, call, key) : "done";',
    replace: 'if (read?.terminalDay) return "done";',
  },
  {
    name: "opens no day at its first booking",
    file: "shared/use-cases/bookings/book.ts",
    find: "const isUpdated = terminalDay === undefined || terminalDay.closing !== undefined;",
    replace: "const isUpdated = terminalDay?.closing !== undefined;",
  },
  {
    name: "never looks again at totals that differed",
    file,
    find: '      { kind: "deadline", deadline: "dayGrace", due: graceEndsAt },\n',
    replace: "",
  },
  {
    name: "calls no operator for a day that differs",
    file,
    find: '          alert("dayDiffers", storableDetail(describeDifferences(terminalDay.differences))),\n',
    replace: "",
  },
  {
    name: "calls no operator for a day whose totals are missing",
    file,
    find: 'effects: [alert("dayMissing", undefined)]',
    replace: "effects: []",
  },
  {
    name: "counts the first totals of a day and no corrected ones",
    file,
    find: 'const terminalDay = { ...moved(before, "totals", now), closing, graceEndsAt };',
    replace:
      'const terminalDay = { ...moved(before, "totals", now), closing: before.closing ?? closing, graceEndsAt };',
  },
  {
    name: "sends no webhook of a day that is closed",
    file,
    find: '          { kind: "webhook", type: "day.closed" },\n',
    replace: "",
  },
  {
    name: "commits a comparison of a day that changed meanwhile",
    file: "shared/stores/terminal-days.ts",
    find: 'return read ? { kind: "replace", ...own, etag: read.etag } : { kind: "insert", ...own };',
    replace: 'return read ? { kind: "overwrite", ...own } : { kind: "insert", ...own };',
  },
];
