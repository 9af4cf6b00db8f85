import type { JSX } from "preact";
import type { OperationView } from "../../views/operations.ts";
import { Act, Panel } from "../../../live/page/parts.tsx";
import { RequestForm } from "./request-form.tsx";
import { RequestShown } from "./request-shown.tsx";
import { ResponseShown } from "./response-shown.tsx";
import { useTry } from "./use-try.ts";
import { Line } from "../prose.tsx";

interface TryItProps {
  readonly operation: OperationView;
  readonly liveUrl: string | undefined;
  readonly onRefill: () => Promise<void>;
}

/** The request, ready to be sent to the demo. The form for its parts is folded below it. */
export function TryIt({ operation, liveUrl, onRefill }: TryItProps): JSX.Element {
  const trying = useTry(operation, onRefill);
  const { result, send, sendAgain } = trying;
  return (
    <>
      {result && <ResponseShown result={result} liveUrl={liveUrl} />}
      <RequestShown trying={trying}>
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
            ? "The identifiers below are new. If you send the same again, it is a retry, and nothing is done twice."
            : "Requests go to the demo on this machine, with new identifiers each time."}
        </p>
      </RequestShown>
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
