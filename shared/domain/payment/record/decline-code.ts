import * as z from "zod";

/** Why an issuer, an acquirer or a terminal declined a card. The list may grow. */
const declineCodes = [
  "insufficientFunds",
  "expiredCard",
  "wrongPin",
  "pinBlocked",
  "lostOrStolen",
  "notPermitted",
  "limitExceeded",
  "issuerUnavailable",
  "doNotHonour",
  "readError",
  "other",
] as const;
export type DeclineCode = (typeof declineCodes)[number];

/** A code that the platform does not know is `other`. Undefined if the value is not a text. */
export function declineCodeOf(value: unknown): DeclineCode | undefined {
  if (typeof value !== "string") return undefined;
  return declineCodes.find((code) => code === value) ?? "other";
}

/** Why a card was declined: the platform's code, and the acquirer's own one of at most four letters and digits. */
export const declineShape = { declineCode: z.enum(declineCodes).optional(), hostCode: z.string().optional() };

/** Why a card was declined, as a report says it. */
export interface Decline {
  readonly declineCode?: DeclineCode | undefined;
  readonly hostCode?: string | undefined;
}
