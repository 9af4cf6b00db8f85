import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { OperationView } from "../../../views/operations.ts";
import { Choice, Code, Panel } from "../../parts.tsx";
import { usePreview } from "./use-draft.ts";
import type { Trying } from "./use-try.ts";

const ways = [
  ["curl", "curl"],
  ["code", "TypeScript client"],
] as const;

interface RequestShownProps {
  readonly trying: Trying;
  /** What stands above the request. */
  readonly acts?: ComponentChildren;
}

/** The request that is about to be sent. */
export function RequestShown({ trying, acts }: RequestShownProps): JSX.Element {
  const { operation, draft } = trying;
  const [way, setWay] = useState<"curl" | "code">("curl");
  const preview = usePreview(operation.id, draft);
  return (
    <Panel
      title="The request"
      aside={<Choice label="The request as" isLabelHidden value={way} options={ways} onChoose={setWay} />}
    >
      <div class="body stack">
        {acts}
        {way === "curl" ? (
          <Code label="The request as curl">{preview?.curl ?? ""}</Code>
        ) : (
          <ClientCode operation={operation} code={preview?.code} />
        )}
        <p class="quiet is-small">Its keys are shown as they are. They open nothing but this stack.</p>
      </div>
    </Panel>
  );
}

function ClientCode({ operation, code }: { operation: OperationView; code: string | undefined }): JSX.Element {
  if (code !== undefined) return <Code label="The request as code">{code}</Code>;
  const hasClient = operation.api !== "terminals";
  return (
    <p class="quiet">{hasClient ? "The client sends JSON only." : "There is no typed client of the terminal API."}</p>
  );
}
