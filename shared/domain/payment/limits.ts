/** So many charges a payment keeps; each is kept with it. What comes beyond is an operator's to look at. */
export const MAX_CHARGES = 20;

/** How long a terminal's free texts may be, in characters of the JSON that a record is; and how many lines a receipt has, of each kind. */
export const textLimits = { short: 64, line: 120, detail: 256 } as const;
export const MAX_LINES = 100;

/** An operator's name and words, in characters of JSON. */
export const MAX_WORDS = 1_000;
