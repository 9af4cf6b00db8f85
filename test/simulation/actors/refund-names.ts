import type { Random } from "../../support/seeded-random.ts";

/** The names of a refund in one request; both absent in an unnamed one. */
export interface RefundNames {
  readonly refundId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** One request for a refund, and whether it was accepted. */
export interface RefundAsk {
  /** The names in the form in which they are compared. */
  readonly names: readonly string[];
  /** Minor units. */
  readonly amount: number;
  readonly reason: string;
  readonly isAccepted: boolean;
}

/** A request for a refund, without its amount. */
export interface RefundWish extends RefundNames {
  readonly deliverWithinSeconds?: number | undefined;
  readonly confirmDuplicate?: boolean | undefined;
}

const one = "aaaaaaaa-0000-4000-8000-000000000001";
const other = "aaaaaaaa-0000-4000-8000-000000000002";
const key = "return 77";

/** Whether partners made up the name; any other name is the platform's own. */
export const isOwnName = (name: string): boolean => [one, other, key].includes(name) || name.startsWith(KEPT);

const KEPT = "kept-";
/** Names the refund of a charge that an operator left with the merchant. */
export const nameOfKept = (chargeId: string): string => KEPT + chargeId;

/**
 * Draws from few names, so that refunds share them: in both letter cases, as refundID and as key, both together, and as earlier responses
 * showed them.
 */
export function drawRefundNames(random: Random, shown: readonly string[]): RefundNames {
  const refundId = () => random.pick(one, other, one.toUpperCase(), ...shown);
  const idempotencyKey = () => random.pick(key, key, one.toUpperCase());
  switch (random.pick("refundID", "refundID", "refundID", "key", "both", "none", "none")) {
    case "refundID":
      return { refundId: refundId() };
    case "key":
      return { idempotencyKey: idempotencyKey() };
    case "both":
      return { refundId: refundId(), idempotencyKey: idempotencyKey() };
    case "none":
      return {};
  }
}

/** The names of a request in the form in which they are compared: identifiers in lower case. The one key has no capitals. */
export const comparedNames = ({ refundId, idempotencyKey }: RefundNames): readonly string[] =>
  [refundId, idempotencyKey].flatMap((name) => name?.toLowerCase() ?? []);
