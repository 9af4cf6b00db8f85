import type { DayState } from "./terminal-day.ts";

/**
 * `totals`: the terminal closes the day, for the first time or again. `totalsOverdue`: the deadline for that has passed. `equal`,
 * `unequal`: the result of comparing totals and books. `unequalForLong`: unequal although the grace time is over.
 */
export const dayEvents = ["totals", "totalsOverdue", "equal", "unequal", "unequalForLong"] as const;
export type DayEvent = (typeof dayEvents)[number];

/**
 * The life of a terminal's day. An event that a state does not name changes nothing. No state is final: the terminal may correct its
 * totals, and a booking may come late. A closed day that later differs changes at once, without a grace time.
 */
export const dayTransitions: Readonly<Record<DayState, Readonly<Partial<Record<DayEvent, DayState>>>>> = {
  open: { totals: "comparing", totalsOverdue: "missing" },
  comparing: { totals: "comparing", equal: "closed", unequal: "comparing", unequalForLong: "differs" },
  closed: { totals: "comparing", equal: "closed", unequal: "differs", unequalForLong: "differs" },
  differs: { totals: "comparing", equal: "closed", unequal: "differs", unequalForLong: "differs" },
  missing: { totals: "comparing" },
};
