import type { JSX } from "preact";
import type { OperationView } from "../../live/views/operations.ts";
import { Act, Panel } from "../../live/page/parts.tsx";
import { RequestForm } from "../../live/page/views/try/request-form.tsx";
import { RequestShown } from "../../live/page/views/try/request-shown.tsx";
import { ResponseShown } from "../../live/page/views/try/response-shown.tsx";
import { useTry } from "../../live/page/views/try/use-try.ts";
import { Line } from "./prose.tsx";

interface TryItProps {
  readonly operation: OperationView;
  readonly liveUrl: string | undefined;
  readonly onRefill: () => Promise<void>;
}

/** The request, ready to be sent to the demo; what it is made of is folded below it. */
export function TryIt({ operation, liveUrl, onRefill }: TryItProps): JSX.Element {
  const trying = useTry(operation, onRefill);
  const { result, send, sendAgain } = trying;
  return (
    <>
      {result && (
        <ResponseShown result={result} linkToPayment={liveUrl === undefined ? undefined : paymentAt(liveUrl)} />
      )}
      <RequestShown
        trying={trying}
        acts={
          <>
            {operation.wanting !== undefined && (
              <p class="try-wanting">
                <Line>{operation.wanting}</Line>
              </p>
            )}
            <div class="try-acts">
              <Act kind="main" onAct={send}>
                Send
              </Act>
              {sendAgain && <Act onAct={sendAgain}>Send the same again</Act>}
            </div>
            <p class="quiet is-small">
              {sendAgain
                ? "The identifiers below are fresh. The same again is a repeat: it does nothing twice."
                : "To the demo on this machine, with fresh identifiers each time."}
            </p>
          </>
        }
      />
      {(operation.fields.length > 0 || operation.body !== undefined) && (
        <Panel>
          <details class="change">
            <summary>Change the request</summary>
            <div class="body stack">
              <RequestForm trying={trying} />
            </div>
          </details>
        </Panel>
      )}
    </>
  );
}

const paymentAt = (liveUrl: string) => (id: string) =>
  new URL(`#/payments/${id.split("/").map(encodeURIComponent).join("/")}`, liveUrl).href;
