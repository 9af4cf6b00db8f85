import type { JSX } from "preact";
import type { OperationView } from "../../../views/operations.ts";
import { Act, Panel } from "../../parts.tsx";
import { Prose } from "../../prose.tsx";
import { linkTo } from "../../routes.ts";
import { RequestForm } from "./request-form.tsx";
import { RequestShown } from "./request-shown.tsx";
import { ResponseShown } from "./response-shown.tsx";
import { useTry } from "./use-try.ts";

interface OperationProps {
  readonly operation: OperationView;
  /** Has the operations filled anew. */
  readonly onRefill: () => Promise<void>;
}

/** The form of one operation, the request that it makes, and the response. */
export function Operation({ operation, onRefill }: OperationProps): JSX.Element {
  const trying = useTry(operation, onRefill);
  const { result, send, sendAgain } = trying;
  return (
    <div class="try-operation">
      <Panel title={operation.summary} aside={<MethodAndPath operation={operation} />}>
        <div class="body stack">
          {operation.description !== "" && (
            <p class="quiet try-means">
              <Prose>{operation.description}</Prose>
            </p>
          )}
          {operation.wanting !== undefined && (
            <p class="try-wanting">
              <Prose>{operation.wanting}</Prose>
            </p>
          )}
          <div class="try-acts">
            <Act kind="main" onAct={send}>
              Send
            </Act>
            {sendAgain && <Act onAct={sendAgain}>Send the same again</Act>}
            <Act onAct={onRefill}>Fill anew</Act>
          </div>
          <p class="quiet is-small">After each request the identifiers are fresh. What you wrote yourself stays.</p>
          <RequestForm trying={trying} />
        </div>
      </Panel>
      <div class="stack">
        {result && <ResponseShown result={result} linkToPayment={(id) => linkTo("payments", id)} />}
        <RequestShown trying={trying} />
      </div>
    </div>
  );
}

const MethodAndPath = ({ operation: { method, path } }: { operation: OperationView }): JSX.Element => (
  <code class="quiet">
    {method} {path}
  </code>
);
