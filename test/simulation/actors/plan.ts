import type { PaymentRequest } from "../../../shared/domain/payment/create-payment.ts";
import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { orderOf } from "../../../shared/domain/payment/order.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import type { World } from "../world/world.ts";
import type { GuardedOrder } from "./card-ledger.ts";
import type { DiscountAsk } from "./discount-asks.ts";
import type { Price } from "./prices.ts";
import type { RefundAsk } from "./refund-names.ts";

/** One session that a partner has in mind, and what came of its calls. */
export interface Plan {
  readonly sessionId: string;
  readonly partnerId: string;
  /** Where it is to be paid. */
  readonly terminal: Terminal;
  readonly request: PaymentRequest;
  /** Made when all is calm: then nothing may be left of it but its record. */
  readonly isCalm: boolean;
  readonly known: Known;
}

/** What the partner was told, by which the platform is held to its word. */
interface Known {
  /** A request was answered 2xx. */
  acknowledged: boolean;
  /** A cancel, or a read when all was calm, was answered 404: the session must never come to be. */
  ruledOut: boolean;
  /** A request may or may not have taken place. */
  inDoubt: boolean;
  /** A request was refused for what the session is: asking again is pointless. */
  conflicts: boolean;
  cancelled: boolean;
  /** The amounts that captures asked for, in minor units; undefined for all that was authorized. */
  readonly captures: (number | undefined)[];
  readonly discounts: DiscountAsk[];
  readonly refunds: RefundAsk[];
  /** How answers showed the payment. */
  readonly told: Pick<PaymentObject, "sequence" | "status" | "amounts" | "refunds">[];
  /** The sessions that refusals named as duplicates. */
  readonly duplicates: Set<string>;
  /** The refundIDs that answers showed. */
  readonly refundIds: Set<string>;
}

export function createPlan(
  world: World,
  {
    sessionId,
    terminal,
    price,
    orderId,
    isCalm = false,
  }: {
    readonly sessionId: string;
    readonly terminal: Terminal;
    readonly price: Price;
    readonly orderId: string | undefined;
    readonly isCalm?: boolean;
  },
): Plan {
  const { random } = world;
  const { partnerId, merchantId, terminalId } = terminal;
  const request: PaymentRequest = {
    sessionId,
    merchantId,
    terminalId,
    asReceived: { sessionId, merchantId, terminalId },
    ...price,
    captureMode: random.pick("manual", "manual", "automatic"),
    lateApproval: random.pick("void", "void", "keep"),
    confirmDuplicate: random.chance(0.1),
    references: orderId === undefined ? undefined : { orderId },
  };
  const known: Known = {
    acknowledged: false,
    ruledOut: false,
    inDoubt: false,
    conflicts: false,
    cancelled: false,
    captures: [],
    discounts: [],
    refunds: [],
    told: [],
    duplicates: new Set(),
    refundIds: new Set(),
  };
  return { sessionId, partnerId, terminal, request, isCalm, known };
}

/** The order of a session, as the duplicate check must see it; undefined where the session has none. */
export function checkedOrder(plans: readonly Plan[], sessionId: string): GuardedOrder | undefined {
  const plan = plans.find((p) => p.sessionId === sessionId);
  const order = plan && orderOf(plan.request);
  if (!order) return undefined;
  return {
    key: JSON.stringify(order),
    strict: plan.terminal.strictOrders,
    partnerId: plan.partnerId,
    isConfirmed: plan.request.confirmDuplicate,
  };
}
