/** The most charges of a payment. All are stored in its record. A further charge raises an alert. */
export const MAX_CHARGES = 20;

/** The longest free texts of a terminal, in characters of the record's JSON. Then the most lines of each kind of receipt. */
export const textLimits = { short: 64, line: 120, detail: 256 } as const;
export const MAX_LINES = 100;

/** The longest name and reason of an operator together, in characters of the record's JSON. */
export const MAX_WORDS = 1_000;
