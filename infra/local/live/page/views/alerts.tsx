import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AlertView, RunbookView } from "../../views/alerts.ts";
import type { PaymentView } from "../../views/payments.ts";
import { act, read } from "../ask.ts";
import { Act, Empty, Panel, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { AlertNote } from "./alerts/note.tsx";
import { Queues } from "./alerts/queues.tsx";
import { Resolve } from "./payments/resolve.tsx";

const nothing: RunbookView = { alerts: {}, deadLetters: {} };

/** What calls an operator, and what is on its way. */
export function Alerts(_: { chosen: string | undefined }): JSX.Element {
  const alerts = useLive((state) => state.alerts);
  const queues = useLive((state) => state.queues);
  const payments = useLive((state) => state.payments);
  const runbook = useRunbook();
  return (
    <>
      <Title>Alerts</Title>
      {alerts?.length === 0 && (
        <Panel>
          <Empty>
            No alert is open: what happened to the money of every payment is known. To see one, pull the plug of a
            terminal <a href={linkTo("counter")}>at the counter</a> while it has a payment.
          </Empty>
        </Panel>
      )}
      {alerts?.map((alert) => (
        <AlertNote key={alert.id} alert={alert} entry={runbook.alerts[alert.kind]}>
          <Subject alert={alert} payment={paymentOf(alert, payments)} />
          <p>
            <Act onAct={() => act(`alerts/${encodeURIComponent(alert.id)}/close`)}>Close the alert</Act>{" "}
            <span class="quiet">once its cause is handled; a new cause opens it again</span>
          </p>
        </AlertNote>
      ))}
      {queues && <Queues queues={queues} entries={runbook.deadLetters} />}
    </>
  );
}

/** The runbook does not change while the page is open. Without it the alerts say what they say themselves. */
function useRunbook(): RunbookView {
  const [runbook, setRunbook] = useState(nothing);
  useEffect(() => {
    read<RunbookView>("runbook").then(setRunbook, (error: unknown) => console.error(error));
  }, []);
  return runbook;
}

const paymentOf = ({ partnerId, sessionId }: AlertView, payments: readonly PaymentView[] = []) =>
  payments.find((payment) => payment.partnerId === partnerId && payment.sessionId === sessionId);

function Subject({ alert, payment }: { alert: AlertView; payment: PaymentView | undefined }): JSX.Element | null {
  if (payment)
    return (
      <>
        <p>
          <a href={linkTo("payments", payment.id)}>See the payment</a>
        </p>
        <Resolve payment={payment} />
      </>
    );
  return alert.sessionId === undefined ? null : <p class="quiet">Payment {alert.sessionId}</p>;
}
