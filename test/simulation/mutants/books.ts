import { domain, type Mutant } from "./mutant.ts";

const TABLE = "shared/stores/bookings.ts";

/** Rules of the books: each movement of money is booked once, under its day, and a closed day stays as it is. */
export const bookMutants: readonly Mutant[] = [
  {
    name: "adds bookings to a day that is closed",
    file: TABLE,
    find: "const isClosed = isOver || closedAt !== undefined;",
    replace: "const isClosed = isOver;",
  },
  {
    name: "books a late movement again under another day",
    file: TABLE,
    find: "let notes = read.every(({ etag }) => etag !== undefined) ? read : await moved(rows, read, today);",
    replace: "let notes = await moved(rows, read, today);",
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
    name: "restores no booking of the last day that is marked as done",
    file: "infra/operator/backup/restored-bookings.ts",
    find: 'return state === "done" || (state === "undone" && booking.bookedOn === undefined);',
    replace: 'return state === "undone" && booking.bookedOn === undefined;',
  },
];
