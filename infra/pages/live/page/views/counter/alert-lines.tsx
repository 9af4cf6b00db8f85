import type { JSX } from "preact";
import type { PaymentView } from "../../../views/payments.ts";
import { Money } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { counted } from "../../text.ts";
import { amountOf } from "../../words.ts";

/** The open alerts about the shown payment, and about other payments of its terminal. */
export function AlertLines({ payment }: { payment: PaymentView }): JSX.Element {
  const { sessionId, partnerId, terminalId, alerts } = payment;
  const over = useLive((state) =>
    state.alerts.filter((one) => one.isOver && one.sessionId === sessionId && one.partnerId === partnerId),
  );
  const others = useLive(({ payments }) =>
    payments.filter((one) => one.terminalId === terminalId && one.alerts > 0 && one.id !== payment.id),
  );
  return (
    <>
      {alerts > 0 && (
        <p class="alert-line">
          <span class="is-bad">
            An operator is called: <a href={linkTo("alerts")}>{alerts === 1 ? "one alert" : `${alerts} alerts`}</a>.
          </span>{" "}
          {over?.map(({ standing }) => standing).join(" ")}
        </p>
      )}
      {others?.[0] && <Others payments={others} first={others[0]} />}
    </>
  );
}

const Others = ({ payments, first }: { payments: readonly PaymentView[]; first: PaymentView }): JSX.Element => (
  <p class="is-bad">
    An operator is called about{" "}
    {payments.length === 1 ? (
      <>
        the earlier payment of <Money of={amountOf(first)} currency={first.currency} />
      </>
    ) : (
      counted(payments.length, "earlier payment")
    )}
    : see <a href={linkTo("alerts")}>Alerts</a>.
  </p>
);
