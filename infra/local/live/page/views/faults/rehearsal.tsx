import type { JSX } from "preact";
import type { RehearsalView } from "../../../views/rehearsal.ts";
import { Panel } from "../../parts.tsx";
import { useRead } from "../../use-read.ts";

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

/** Leads to the page of the last rehearsal, or says how to have one. */
export function Rehearsal(): JSX.Element {
  const { at } = useRead<RehearsalView>("rehearsal").result ?? {};
  return (
    <Panel title="All of them, one after the other">
      <div class="body stack">
        {at !== undefined && (
          <p>
            <a href="rehearsal/page" target="_blank" rel="noreferrer">
              The last rehearsal
            </a>
            , of {dates.format(at)}
          </p>
        )}
        <p>
          <code>npm run rehearse</code> takes ten minutes: a shop’s day on a platform of its own, beside this one, with
          one fault after the other. It writes a page about what became of the payments, and this view leads to it.
        </p>
      </div>
    </Panel>
  );
}
