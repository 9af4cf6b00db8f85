import type { PaymentRequest } from "../../../shared/domain/payment/open-payment.ts";
import type { World } from "../world/world.ts";
import type { RefundAsk } from "./refund-names.ts";

export const partnerId = "partner";
const merchantId = "merchant";

/** One session that a partner has in mind, and what came of its calls. */
export interface Plan {
  readonly sessionId: string;
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
  captureAmount: number | undefined;
  readonly refunds: RefundAsk[];
  /** The refundIDs that answers showed. */
  readonly refundIds: Set<string>;
}

export function createPlan(
  world: World,
  {
    sessionId,
    terminalId,
    orderId,
    isCalm = false,
  }: {
    readonly sessionId: string;
    readonly terminalId: string;
    readonly orderId: string | undefined;
    readonly isCalm?: boolean;
  },
): Plan {
  const { random } = world;
  const request: PaymentRequest = {
    sessionId,
    merchantId,
    terminalId,
    spelled: { sessionId, merchantId, terminalId },
    currency: "SEK",
    amount: 12_550,
    captureMode: random.pick("manual", "manual", "automatic"),
    lateApproval: random.pick("void", "void", "keep"),
    confirmDuplicate: false,
    references: orderId === undefined ? undefined : { orderId },
  };
  const known: Known = {
    acknowledged: false,
    ruledOut: false,
    inDoubt: false,
    conflicts: false,
    cancelled: false,
    captureAmount: undefined,
    refunds: [],
    refundIds: new Set(),
  };
  return { sessionId, request, isCalm, known };
}

export const aTerminalOf = (terminalId: string, strictOrders: boolean, updatedAt: string) => ({
  terminalId,
  spelledId: terminalId,
  partnerId,
  merchantId,
  status: "available" as const,
  strictOrders,
  keyHash: "",
  pepperId: "none",
  updatedAt,
});
