import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { act } from "../../ask.ts";
import { useDoing } from "../../hooks.ts";
import { Refused } from "../../parts.tsx";
import { WhoAndWhy } from "../payments/resolve-fields.tsx";

interface CloseProps {
  readonly id: string;
  readonly onClosed: () => void;
}

/** Closes an alert, and records who did it and why. */
export function CloseAlert({ id, onClosed }: CloseProps): JSX.Element {
  const [who, setWho] = useState({ by: "", why: "" });
  const { isBusy, refusal, run } = useDoing();
  return (
    <details>
      <summary>Close the alert</summary>
      <form
        class="resolve"
        onSubmit={(event) => {
          event.preventDefault();
          run(() => act(`alerts/${encodeURIComponent(id)}/close`, who).then(onClosed));
        }}
      >
        <p class="quiet">Close it after its cause is handled. A new cause opens it again.</p>
        <div class="resolve-facts">
          <WhoAndWhy {...who} onChange={(more) => setWho((before) => ({ ...before, ...more }))} />
        </div>
        <div class="act">
          <button type="submit" class="button" aria-busy={isBusy} disabled={isBusy}>
            Close it
          </button>
          <Refused sentence={refusal} />
        </div>
      </form>
    </details>
  );
}
