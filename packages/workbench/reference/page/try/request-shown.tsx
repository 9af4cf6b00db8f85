import type { ComponentChildren, JSX } from "preact";
import { Code, Panel } from "../../../live/page/parts.tsx";
import { useCurl } from "./use-draft.ts";
import type { Trying } from "./use-try.ts";

interface RequestShownProps {
  readonly trying: Trying;
  /** The content above the request. */
  readonly children: ComponentChildren;
}

/** The request to send. */
export function RequestShown({ trying: { operation, draft }, children }: RequestShownProps): JSX.Element {
  const curl = useCurl(operation.id, draft);
  return (
    <Panel title="The request">
      <div class="body stack">
        {children}
        <Code label="The request as curl">{curl ?? ""}</Code>
        <p class="quiet is-small">Its keys are shown unchanged. They work only with this stack.</p>
      </div>
    </Panel>
  );
}
