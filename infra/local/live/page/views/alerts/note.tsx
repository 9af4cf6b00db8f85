import type { ComponentChildren, JSX } from "preact";
import type { AlertView, RunbookEntry } from "../../../views/alerts.ts";
import { Badge, Panel, Time } from "../../parts.tsx";
import { Prose } from "../../prose.tsx";
import { asTitle, counted } from "../../text.ts";

interface NoteProps {
  readonly alert: AlertView;
  /** What the runbook adds. */
  readonly entry?: RunbookEntry | undefined;
  readonly children?: ComponentChildren;
}

/** An open alert: what happened, what it means, what to do. */
export const AlertNote = ({ alert, entry, children }: NoteProps): JSX.Element => (
  <Panel
    tone="bad"
    title={asTitle(alert.kind)}
    aside={
      <>
        {alert.count > 1 && <Badge tone="bad">{counted(alert.count, "time")}</Badge>}
        <span class="quiet">
          since <Time at={alert.firstAt} />
        </span>
      </>
    }
  >
    <div class="body alert-note">
      {alert.detail !== undefined && <p class="alert-detail">{alert.detail}</p>}
      <dl class="facts">
        <dt>It means</dt>
        <dd>
          <Prose>{alert.means}</Prose>
        </dd>
        {entry && (
          <>
            <dt>The money</dt>
            <dd>
              <Prose>{entry.money}</Prose>
            </dd>
          </>
        )}
        {entry?.lookAt !== undefined && (
          <>
            <dt>Look at</dt>
            <dd>
              <Prose>{entry.lookAt}</Prose>
            </dd>
          </>
        )}
        <dt>Do</dt>
        <dd>
          <Prose>{alert.toDo}</Prose>
        </dd>
        {alert.about !== undefined && (
          <>
            <dt>About</dt>
            <dd>{alert.about}</dd>
          </>
        )}
      </dl>
      {children}
    </div>
  </Panel>
);
