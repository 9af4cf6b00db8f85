import { MAX_SUM, toMinorUnits } from "../../../../../../shared/domain/money.ts";
import type { PaymentView } from "../../../views/payments.ts";
import type { WebhookView } from "../../../views/webhooks.ts";
import { moneyText } from "../../text.ts";
import { amountOf } from "../../words.ts";

/** One event for the partner, with its attempts, the newest first. */
export interface WebhookEvent {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly outcome: Outcome;
  /** Undefined if the event is not about a payment, or the payment is no longer in the list. */
  readonly payment: PaymentView | undefined;
  readonly attempts: readonly [WebhookView, ...WebhookView[]];
}

/** Whether the receiver accepted the event, and if not, whether the platform may still send it. */
export type Outcome = "delivered" | "open" | "givenUp";

/** Groups attempts by event. The attempts come newest first, so the event with the newest attempt is first. */
export function eventsOf(webhooks: readonly WebhookView[], payments: readonly PaymentView[]): readonly WebhookEvent[] {
  const bySession = new Map(payments.map((payment) => [payment.sessionId, payment]));
  const byEvent = new Map<string, [WebhookView, ...WebhookView[]]>();
  for (const webhook of webhooks) {
    const attempts = byEvent.get(webhook.eventId);
    if (attempts) attempts.push(webhook);
    else byEvent.set(webhook.eventId, [webhook]);
  }
  return [...byEvent].map(([id, attempts]) => {
    const [last] = attempts;
    return { id, type: last.type, outcome: outcomeOf(last), payment: bySession.get(last.sessionId ?? ""), attempts };
  });
}

function outcomeOf({ answer, nextAt, isGivenUp = false }: WebhookView): Outcome {
  if (isGivenUp) return "givenUp";
  return answer !== undefined && answer < 300 && nextAt === undefined ? "delivered" : "open";
}

/** The main amount of the payment in an event's body: the payment may have changed since. Undefined if the body has no payment. */
export function amountIn(body: string): string | undefined {
  const { status, currency, totalAmountInclVat, amounts } = dataOf(body);
  if (typeof status !== "string" || typeof currency !== "string") return undefined;
  const [amount, captured] = [totalAmountInclVat, amounts?.captured].map((major) => minorOf(major, currency));
  return amount === undefined || captured === undefined
    ? undefined
    : moneyText(amountOf({ status, amount, captured }), currency);
}

/** The members of an event about a payment that have its amount. A body that is not the platform's may have anything there. */
interface EventData {
  readonly status?: unknown;
  readonly currency?: unknown;
  readonly totalAmountInclVat?: unknown;
  readonly amounts?: { readonly captured?: unknown } | null;
}

function dataOf(body: string): EventData {
  try {
    const { data } = Object(JSON.parse(body)) as { readonly data?: unknown };
    return Object(data) as EventData;
  } catch {
    return {}; // not JSON
  }
}

function minorOf(major: unknown, currency: string): number | undefined {
  if (typeof major !== "number") return undefined;
  const minor = toMinorUnits(major, currency, MAX_SUM);
  return minor.ok ? minor.value : undefined;
}

/** When the event is sent again. Undefined if it is not sent again. */
export const nextAttempt = ({ attempts: [last] }: WebhookEvent): number | undefined => last.nextAt;
