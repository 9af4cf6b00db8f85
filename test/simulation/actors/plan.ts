import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { orderOf } from "../../../shared/domain/payment/record/order.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import type { World } from "../world/world.ts";
import type { GuardedOrder } from "./card-ledger.ts";
import type { DiscountAsk } from "./discount-asks.ts";
import type { Price } from "./prices.ts";
import type { RefundAsk } from "./refund-names.ts";
import { drawQuestion } from "./tips.ts";

/** One session that a partner plans, and the results of its calls. */
export interface Plan {
  readonly sessionId: string;
  readonly partnerId: string;
  readonly terminalId: string;
  /** The terminal at which the session is to be paid. */
  readonly terminal: Terminal;
  readonly request: PaymentRequest;
  /** The key of its payment request. The sessions of one sale share it. */
  readonly idempotencyKey: string | undefined;
  /** Made after the faults, so only its record may remain. */
  readonly isCalm: boolean;
  readonly known: Known;
}

/** The facts that responses showed the partner. The platform must keep these promises. */
interface Known {
  /** A request got a 2xx. */
  acknowledged: boolean;
  /** A cancel, or a read after the faults, got a 404: the session must never exist. */
  ruledOut: boolean;
  /** A request may or may not have been carried out. */
  inDoubt: boolean;
  /** A request was refused because of the session itself, so that a repetition is pointless. */
  conflicts: boolean;
  cancelled: boolean;
  /** The sessions that refusals named as the holders of its key. */
  readonly holders: Set<string>;
  /** The requested amounts of captures, in minor units; undefined for the whole authorized amount. */
  readonly captures: (number | undefined)[];
  readonly discounts: DiscountAsk[];
  readonly refunds: RefundAsk[];
  /** The refunds whose withdrawal was confirmed, by refundID in lower case. */
  readonly withdrawn: Map<string, WithdrawnRefund>;
  /** The payment as responses showed it. */
  readonly shown: Pick<PaymentObject, "sequence" | "status" | "amounts" | "refunds">[];
  /** The sessions that refusals named as duplicates. */
  readonly duplicates: Set<string>;
  /** The refundIDs that responses showed. */
  readonly refundIds: Set<string>;
}

/** A refund that was withdrawn. */
export interface WithdrawnRefund {
  /** Minor units. */
  readonly amount: number;
  /** Whether an equal refund was requested afterwards. If a restore lost the withdrawal, it may be this one. */
  isWantedAgain: boolean;
}

export function createPlan(
  world: World,
  {
    sessionId,
    terminal,
    price,
    orderId,
    idempotencyKey,
    isCalm = false,
  }: {
    readonly sessionId: string;
    readonly terminal: Terminal;
    readonly price: Price;
    readonly orderId: string | undefined;
    readonly idempotencyKey?: string | undefined;
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
    tip: drawQuestion(world, sessionId, price.amount),
  };
  return { sessionId, partnerId, terminalId, terminal, request, idempotencyKey, isCalm, known: newKnown() };
}

const newKnown = (): Known => ({
  acknowledged: false,
  ruledOut: false,
  inDoubt: false,
  conflicts: false,
  cancelled: false,
  holders: new Set(),
  captures: [],
  discounts: [],
  refunds: [],
  withdrawn: new Map(),
  shown: [],
  duplicates: new Set(),
  refundIds: new Set(),
});

/** The same sale as a new session, at one of its partner's terminals. */
export function anotherTry(plan: Plan, sessionId: string, terminal: Terminal): Plan {
  const { merchantId, terminalId } = terminal;
  const own = { sessionId, merchantId, terminalId };
  const request = { ...plan.request, ...own, asReceived: own };
  return { ...plan, sessionId, terminal, terminalId, request, known: newKnown() };
}

/** The order of a session for the duplicate check; undefined if the session has none. */
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
