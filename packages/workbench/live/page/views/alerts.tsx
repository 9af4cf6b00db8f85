import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AlertView, RunbookView } from "../../views/alerts.ts";
import type { PaymentView } from "../../views/payments.ts";
import { read } from "../ask.ts";
import { Empty, Panel, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { asTitle, counted } from "../text.ts";
import { CloseAlert } from "./alerts/close.tsx";
import { DayPayments } from "./alerts/day-payments.tsx";
import { AlertNote } from "./alerts/note.tsx";
import { Queues } from "./alerts/queues.tsx";
import { Resolve } from "./payments/resolve.tsx";

const nothing: RunbookView = { alerts: {}, deadLetters: {} };

/** Open alerts, and the state of the queues. */
export function Alerts(_: { chosen: string | undefined }): JSX.Element {
  const alerts = useLive((state) => state.alerts);
  const queues = useLive((state) => state.queues);
  const payments = useLive((state) => state.payments);
  const inDoubt = payments?.filter(({ isInDoubt }) => isInDoubt).length ?? 0;
  const runbook = useRunbook();
  const [closed, setClosed] = useState<{ readonly kind: string }>();
  return (
    <>
      <Title>Alerts</Title>
      {closed && <Closed alert={closed} />}
      {alerts?.length === 0 && (
        <Panel>
          <Empty>
            <strong>No alert is open</strong>
            {inDoubt > 0
              ? `The outcome of ${counted(inDoubt, "payment")} is not known yet: the platform asks the terminal, and calls an operator if it does not respond. `
              : ""}
            To see an alert, pull the plug of a terminal <a href={linkTo("counter")}>at the counter</a> while it has a
            payment.
          </Empty>
        </Panel>
      )}
      {alerts?.toSorted(openFirst).map((alert) => (
        <AlertNote
          key={alert.id}
          alert={alert}
          terminalId={paymentOf(alert, payments)?.terminalId}
          entry={runbook.alerts[alert.kind]}
          place={alert.place}
        >
          <Subject alert={alert} payments={payments} />
          <CloseAlert id={alert.id} onClosed={() => setClosed({ kind: alert.kind })} />
        </AlertNote>
      ))}
      {queues && <Queues queues={queues} entries={runbook.deadLetters} />}
    </>
  );
}

/** The alerts that need something come before the settled ones. */
const openFirst = (one: AlertView, other: AlertView): number => Number(one.isOver) - Number(other.isOver);

/** Says which alert was closed. Its form has disappeared, so the focus comes here. */
function Closed({ alert }: { alert: { readonly kind: string } }): JSX.Element {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => line.current?.focus(), [alert]);
  return (
    <p ref={line} role="status" tabIndex={-1}>
      Closed: {asTitle(alert.kind)}.
    </p>
  );
}

/** The runbook does not change while the page is open. Without it, alerts show only their own texts. */
function useRunbook(): RunbookView {
  const [runbook, setRunbook] = useState(nothing);
  useEffect(() => {
    read<RunbookView>("runbook").then(setRunbook, (error: unknown) => console.error(error));
  }, []);
  return runbook;
}

const paymentOf = ({ partnerId, sessionId }: AlertView, payments: readonly PaymentView[] = []) =>
  payments.find((payment) => payment.partnerId === partnerId && payment.sessionId === sessionId);

interface SubjectProps {
  readonly alert: AlertView;
  readonly payments: readonly PaymentView[] | undefined;
}

/** The subject of an alert, with the outcomes that an operator can record. */
function Subject({ alert, payments }: SubjectProps): JSX.Element | null {
  const { sessionId, terminalId, day, outcomes } = alert;
  if (terminalId !== undefined && day !== undefined) return <DayPayments {...{ terminalId, day }} />;
  const payment = paymentOf(alert, payments);
  if (!payment) return sessionId === undefined ? null : <p class="quiet">Payment {sessionId}</p>;
  return (
    <>
      <p>
        <a href={linkTo("payments", payment.id)}>See the payment</a>
      </p>
      {outcomes.length > 0 && <Resolve paymentId={payment.id} currency={payment.currency} outcomes={outcomes} />}
    </>
  );
}
