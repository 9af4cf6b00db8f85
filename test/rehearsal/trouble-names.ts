/** What can go wrong in a rehearsal, in the order in which it does where the user chooses none. */
export const troubleNames = [
  "tables-away",
  "bus-silent",
  "kill",
  "hanging-partner",
  "imperfect-terminals",
  "two-versions",
] as const;
export type TroubleName = (typeof troubleNames)[number];
