import type { AlertView } from "../../../views/alerts.ts";
import type { PaymentView } from "../../../views/payments.ts";

/** The open alerts about a payment, by whether something is left to do. */
export const alertsAbout = (payment: PaymentView, alerts: readonly AlertView[]) => {
  const own = alerts.filter(isAbout(payment));
  return { toDo: own.filter(({ isOver }) => !isOver), settled: own.filter(({ isOver }) => isOver) };
};

/** The other payments of its terminal about which an alert is open that is not settled. */
export function othersAlerted(
  { id, terminalId }: PaymentView,
  payments: readonly PaymentView[],
  alerts: readonly AlertView[],
): readonly PaymentView[] {
  const toDo = alerts.filter(({ isOver }) => !isOver);
  return payments.filter((one) => one.terminalId === terminalId && one.id !== id && toDo.some(isAbout(one)));
}

const isAbout =
  ({ sessionId, partnerId }: PaymentView) =>
  (alert: AlertView): boolean =>
    alert.sessionId === sessionId && alert.partnerId === partnerId;
