import { domain, useCases, type Mutant } from "./mutant.ts";

const BOOK = `${useCases}/bookings/book.ts`;
const CLOSE = `${useCases}/bookings/close-day.ts`;
const RESTORED = "infra/operator/backup/restored-books.ts";

/** Rules of the books: each movement of money is booked once, under its day, and a closed day stays as it is. */
export const bookMutants: readonly Mutant[] = [
  {
    name: "adds bookings to a day that is closed",
    file: BOOK,
    find: "if (read.read?.closedAt !== undefined) continue;",
    replace: "",
  },
  {
    name: "writes a day with its first booking only",
    file: "shared/stores/bookings.ts",
    find: "...days.map(touchedDay),",
    replace: "...days.filter(({ read }) => read === undefined).map(touchedDay),",
  },
  {
    name: "books late without writing the business day",
    file: BOOK,
    find: "    days.set(businessDay, own);\n",
    replace: "",
  },
  {
    name: "takes a terminal for entered whose day has a row",
    file: BOOK,
    find: "read.isEntered || (await",
    replace: "read.read !== undefined || (await",
  },
  {
    name: "closes no day of a terminal that has no row",
    file: CLOSE,
    find: "if (own?.closedAt === undefined) await",
    replace: "if (own && own.closedAt === undefined) await",
  },
  {
    name: "closes a partner's day before its terminals",
    file: CLOSE,
    find: "  const some = open.slice(0, TERMINALS_OF_RUN);\n",
    replace: `  const some = open.slice(0, 0);
  if (open.length > 0) {
    await commit(deps, call, key, { read: closing, closed: { closedAt, totals: [] } });
    return true;
  }
`,
  },
  {
    name: "copies no totals of a terminal into its partner's day",
    file: CLOSE,
    find: "merchantId: of, totals: [...totals] };",
    replace: "merchantId: of, totals: [...totals].slice(1) };",
  },
  {
    name: "announces no closing of a partner's day",
    file: BOOK,
    find: "const announce = () => announceClosing(deps, key);",
    replace: "const announce = async () => void [deps, announceClosing];",
  },
  {
    name: "books no charge that is given back at once",
    file: `${domain}/reports/approvals.ts`,
    find: 'captureMode === "automatic" || type === "captured" ?',
    replace: 'captureMode === "manual" && type === "captured" ?',
  },
  {
    name: "books under the day of the platform's clock",
    file: `${domain}/life/bookings.ts`,
    find: "businessDayOf(correction ? undefined : businessDay, at, payment),",
    replace: "businessDayOf(correction ?? businessDay ? undefined : businessDay, at, payment),",
  },
  {
    name: "books a refund as it was requested",
    file: `${domain}/record/held-money.ts`,
    find: 'status === "succeeded" ? (made ?? amount) : 0);',
    replace: 'status === "succeeded" ? Math.max(amount, made ?? 0) : 0);',
  },
  {
    name: "restores the bookings of lost changes",
    file: RESTORED,
    find: "const kept = found.filter(({ booking }) => made.has(bookingRow(booking)) || closed.has(fileDayOf(booking)));",
    replace: "const kept = found;",
  },
  {
    name: "takes a terminal for entered after a restore",
    file: RESTORED,
    find: "toColumns({ ...day, isEntered: false },",
    replace: "toColumns(day,",
  },
  {
    name: "restores bookings without entering their terminals",
    file: "infra/operator/backup/restored-terminals.ts",
    find: "await eachOf([...days],",
    replace: "await eachOf([...days].slice(0, 0),",
  },
  {
    name: "restores no booking that the export lacks",
    file: RESTORED,
    find: "rows: [...kept.map(({ row }) => row), ...lacking],",
    replace: "rows: kept.map(({ row }) => row),",
  },
  {
    name: "forgets in the history under which day a late booking came",
    file: `${useCases}/payments/commit-payment.ts`,
    find: "bookings: booked?.bookings,",
    replace: "bookings: booked?.bookings.map(({ bookedOn: _, ...booking }) => booking),",
  },
];
