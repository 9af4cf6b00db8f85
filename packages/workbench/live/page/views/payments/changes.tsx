import type { JSX } from "preact";
import type { ChangeLine, PaymentDetail } from "../../../views/payments.ts";
import { Panel, Status, Time } from "../../parts.tsx";
import { wordsOf } from "../../words.ts";

/** Each change of the payment, the oldest first. */
export const Changes = ({ payment: { changes } }: { payment: PaymentDetail }): JSX.Element => (
  <Panel title="Changes">
    <ol class="changes">
      {changes.map((change) => (
        <li key={change.sequence}>
          <Time at={change.at} />
          <div>
            <span class="change-what">{change.what}</span>
            <StateAfter change={change} />
            {change.detail !== undefined && <span class="quiet">{change.detail}</span>}
            {change.operator && (
              <span class="quiet">
                {change.operator.by}: {change.operator.why}
              </span>
            )}
          </div>
        </li>
      ))}
    </ol>
  </Panel>
);

function StateAfter({ change: { from, to, reason } }: { change: ChangeLine }): JSX.Element | null {
  if (from === to && reason === undefined) return null;
  return (
    <span class="change-state">
      <Status of={wordsOf(to)} reason={reason} />
      {reason !== undefined && <span class="quiet">{reason}</span>}
    </span>
  );
}
