/** The most charges of a payment. Each is stored with it; further ones raise an alert. */
export const MAX_CHARGES = 20;

/** The longest free texts of a terminal, in characters of the record's JSON, and the most lines of a receipt, of each kind. */
export const textLimits = { short: 64, line: 120, detail: 256 } as const;
export const MAX_LINES = 100;

/** The longest name and reason of an operator together, in characters of the record's JSON. */
export const MAX_WORDS = 1_000;
