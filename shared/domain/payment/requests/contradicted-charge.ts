/** Why a request is refused while a charge is contradicted. */
export const contradictedText = (requests: "Refunds" | "Captures" | "Cancels"): string =>
  `The terminal reported a void of a charge that nobody requested. ${requests} are refused until an operator decides.`;
