import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { toMinorUnits } from "../../../shared/domain/money.ts";
import type { PaymentMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import { because } from "../../operator/common/reasons.ts";
import type { StackFile } from "../../stack/stack-file.ts";
import { followOtherEvents } from "./other-events.ts";
import { followPayment, hasEnded, type Happening } from "./follow.ts";
import { demoPartner, Refused, type DemoPartnerApi, type Wanted } from "./partner.ts";

/** The result of a tried payment. */
export interface Tried {
  readonly sessionID: string;
  /** The identifier of the request, for `admin payment why`. */
  readonly requestID: string;
  readonly status: PaymentObject["status"];
  /** Whether the payment has ended, or is authorized for a manual capture. */
  readonly hasEnded: boolean;
  readonly text: string;
  /** The command that captures an authorized payment. */
  readonly next?: string;
}

export interface Shown {
  readonly show: (happening: Happening) => void;
  readonly signal: AbortSignal;
}

/**
 * Requests a payment of the running stack as its demo partner, and tells its events. Accepts the requests of the terminal. Throws a
 * sentence if the payment could not be requested.
 */
export async function tryPayment(file: StackFile, wanted: Wanted, { show, signal }: Shown): Promise<Tried> {
  const partner = demoPartner(file);
  const { payment, requestId: requestID } = await requested(partner, wanted);
  const { sessionID } = payment;
  const ending = new AbortController();
  const following = followEvents(file, partner, { payment, show, signal: ending.signal });
  try {
    const hasWebhooks = wanted.webhookUrl !== undefined || file.live !== undefined;
    const ended = await followPayment({ partner, payment, hasWebhooks, show, signal });
    return {
      sessionID,
      requestID,
      status: ended.status,
      hasEnded: hasEnded(ended),
      text: because({ ...moneyOf(ended), statusDetail: ended.statusDetail }),
      ...(ended.status === "authorized" && { next: partner.captureCommand(ended) }),
    };
  } finally {
    ending.abort();
    await following;
  }
}

/** The payment's amounts in minor units, from the response to its partner. */
function moneyOf({ status, statusReason, currency, amounts, charges, refunds }: PaymentObject): PaymentMoney {
  const minor = (major: number, of = currency): number => {
    const read = toMinorUnits(major, of);
    if (!read.ok) throw new Error(`The platform's response has an amount that is not valid in ${of}: ${major}.`);
    return read.value;
  };
  const { requested, discounted, authorized, captured } = amounts;
  return {
    status,
    statusReason,
    currency,
    restored: undefined,
    amounts: {
      requested: minor(requested),
      discounted: minor(discounted),
      authorized: minor(authorized),
      captured: minor(captured),
    },
    charges: charges.map(({ chargeID: chargeId, status, amount, currency: of }) => ({
      chargeId,
      status,
      amount: minor(amount, of),
      currency: of,
    })),
    refunds: refunds.map(({ refundID: refundId, refundAmount, status, statusReason }) => ({
      refundId,
      status,
      statusReason,
      amount: minor(refundAmount),
    })),
  };
}

async function requested(partner: DemoPartnerApi, wanted: Wanted) {
  try {
    return await partner.request(wanted);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "terminal_busy") throw error;
    const { activeSessionID } = await partner.terminal(wanted.terminal);
    const holder = activeSessionID === undefined ? "another partner's payment" : `session ${activeSessionID}`;
    const message = `The terminal ${wanted.terminal} is busy with ${holder}: try again when it has ended, or name another --terminal.`;
    throw new Error(message, { cause: error });
  }
}

/** Tells the events that are not in the timeline, and accepts the requests of the terminal. Never rejects: it prints errors instead. */
async function followEvents(
  { live: liveUrl }: StackFile,
  partner: DemoPartnerApi,
  { payment: { sessionID, createdAt }, show, signal }: Shown & { readonly payment: PaymentObject },
): Promise<void> {
  if (liveUrl === undefined) return;
  const now = () => Date.now() - Date.parse(createdAt);
  const accept = async (actionRequestID: string) => {
    await partner.accept(actionRequestID);
    show({ ms: now(), who: "partner", event: "actionAccepted", text: "The partner accepted the terminal's request" });
  };
  const accepting: Promise<void>[] = [];
  const complain = (error: unknown) => console.error(error instanceof Error ? error.message : error);
  await followOtherEvents(
    { liveUrl, sessionID, signal },
    {
      asked({ actionRequestID, actionCode, description = actionCode }) {
        const text = `The terminal asks the partner: ${JSON.stringify(description)}`;
        show({ ms: now(), who: "terminal", event: "actionRequest", text });
        accepting.push(accept(actionRequestID).catch(complain));
      },
      alerted({ kind, firstAt }) {
        const text = `The alert ${kind} calls an operator: npm run admin -- alert list`;
        show({ ms: firstAt - Date.parse(createdAt), who: "platform", event: "alert", text });
      },
    },
  ).catch((error: unknown) => {
    if (!signal.aborted) complain(error);
  });
  await Promise.all(accepting);
}
