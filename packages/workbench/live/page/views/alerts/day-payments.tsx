import type { JSX } from "preact";
import type { PaymentView } from "../../../views/payments.ts";
import { Money, Status, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { amountOf, standingOf } from "../../words.ts";

const MOST = 40;

/** The payments of a terminal's day. The operator looks among them for the payment whose money differs. */
export function DayPayments({ terminalId, day }: { terminalId: string; day: string }): JSX.Element {
  const payments = useLive((state) => state.payments.filter((payment) => isOfDay(payment, terminalId, day))) ?? [];
  const more = payments.length - MOST;
  return (
    <>
      <h3>Payments of this day</h3>
      {payments.length === 0 && <p class="quiet">The page has no payment of this terminal and day.</p>}
      <ul class="link-lines">
        {payments.slice(0, MOST).map((payment) => (
          <li key={payment.id}>
            <a href={linkTo("payments", payment.id)}>
              <Time at={payment.createdAt} />
              <span class="link-what">
                <Money of={amountOf(payment)} currency={payment.currency} />{" "}
                <span class="quiet">{payment.orderId ?? payment.sessionId.slice(0, 8)}</span>
              </span>
              <Status of={standingOf(payment)} reason={payment.reason} />
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <a href={linkTo("payments", undefined, `terminal=${terminalId}`)}>See {more} more in Payments</a>
        </p>
      )}
    </>
  );
}

/** A payment of the previous evening may count on this day. Days are UTC. */
function isOfDay(payment: PaymentView, terminalId: string, day: string): boolean {
  const created = new Date(payment.createdAt).toISOString().slice(0, 10);
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  return payment.terminalId === terminalId && (created === day || created === before);
}
