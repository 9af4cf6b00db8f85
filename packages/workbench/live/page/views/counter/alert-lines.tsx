import type { JSX } from "preact";
import type { PaymentView } from "../../../views/payments.ts";
import { Money, Timed } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { counted } from "../../text.ts";
import { amountOf } from "../../words.ts";
import { alertsAbout, othersAlerted } from "./alerts-about.ts";

/** The open alerts about the shown payment, and those about other payments of its terminal that are not settled. */
export function AlertLines({ payment }: { payment: PaymentView }): JSX.Element {
  const alerts = useLive((state) => state.alerts) ?? [];
  const others = useLive((state) => othersAlerted(payment, state.payments, state.alerts));
  const { toDo, settled } = alertsAbout(payment, alerts);
  return (
    <>
      {toDo.length > 0 && (
        <p class="is-bad">
          An operator is called:{" "}
          <a href={linkTo("alerts")}>{toDo.length === 1 ? "one alert" : `${toDo.length} alerts`}</a>.
        </p>
      )}
      {settled.length > 0 && (
        <p class="quiet alert-line">
          <Timed>{settled.map(({ standing }) => standing).join(" ")}</Timed> See <a href={linkTo("alerts")}>Alerts</a>.
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
