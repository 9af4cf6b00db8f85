import type { ComponentChildren, JSX } from "preact";
import type { AlertView, RunbookEntry } from "../../../views/alerts.ts";
import { Badge, Panel, Time } from "../../parts.tsx";
import { Prose } from "../../prose.tsx";
import { asTitle, counted } from "../../text.ts";

interface NoteProps {
  readonly alert: AlertView;
  /** The runbook's entry about it. */
  readonly entry?: RunbookEntry | undefined;
  readonly children?: ComponentChildren;
}

/** An open alert: what happened, the state of its cause, its meaning, and what to do until it is over. */
export function AlertNote({ alert, entry, children }: NoteProps): JSX.Element {
  const { isOver } = alert;
  const tone = isOver ? "plain" : "bad";
  const { about = alert.day && `terminal ${alert.terminalId}, ${alert.day}` } = alert;
  return (
    <Panel
      tone={tone}
      title={asTitle(alert.kind)}
      aside={
        <>
          {alert.count > 1 && <Badge tone={tone}>{counted(alert.count, "time")}</Badge>}
          <span class="quiet">
            since <Time at={alert.firstAt} />
          </span>
        </>
      }
    >
      <div class="body alert-note">
        {alert.detail !== undefined && <p class={isOver ? "quiet" : "alert-detail"}>{alert.detail}</p>}
        <dl class="facts">
          <Fact name="Now">{alert.standing}</Fact>
          <Fact name="It means">
            <Prose>{alert.means}</Prose>
          </Fact>
          {!isOver && <Doubt alert={alert} entry={entry} />}
          <Fact name="About">{about}</Fact>
        </dl>
        {children}
      </div>
    </Panel>
  );
}

/** Shown until the cause is over. */
const Doubt = ({ alert, entry }: Pick<NoteProps, "alert" | "entry">): JSX.Element => (
  <>
    <Fact name="The money">{entry && <Prose>{entry.money}</Prose>}</Fact>
    <Fact name="Look at">{entry?.lookAt && <Prose>{entry.lookAt}</Prose>}</Fact>
    <Fact name="Do">
      <Prose>{alert.toDo}</Prose>
    </Fact>
  </>
);

/** A fact. Renders nothing if it is empty. */
const Fact = ({ name, children }: { name: string; children: ComponentChildren }): JSX.Element | null =>
  children ? (
    <>
      <dt>{name}</dt>
      <dd aria-live={name === "Now" ? "polite" : undefined}>{children}</dd>
    </>
  ) : null;
