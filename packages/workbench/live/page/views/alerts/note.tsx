import type { ComponentChildren, JSX } from "preact";
import type { AlertView, RunbookEntry } from "../../../views/alerts.ts";
import { namesOf, withWholeCommands } from "../../../../../../infra/operator/common/whole-commands.ts";
import { linkTo } from "../../routes.ts";
import type { PlaceView } from "../../../views/registered.ts";
import { Badge, Id, Named, Panel, Time, Timed } from "../../parts.tsx";
import { Prose } from "../../prose.tsx";
import { asTitle, counted } from "../../text.ts";

interface NoteProps {
  readonly alert: AlertView;
  /** The terminal of the alert's payment. */
  readonly terminalId?: string | undefined;
  /** The runbook's entry about it. */
  readonly entry?: RunbookEntry | undefined;
  /** Its terminal, unless the terminal is shown beside it. */
  readonly place?: PlaceView | undefined;
  readonly children?: ComponentChildren;
}

/** An open alert: what happened, the state of its cause, its meaning, and what to do. Its state comes first if the cause is over. */
export function AlertNote({ alert, terminalId, entry, place, children }: NoteProps): JSX.Element {
  const { isOver, detail, standing } = alert;
  const tone = isOver ? "plain" : "bad";
  const now = <Fact name="Now">{standing && <Timed>{standing}</Timed>}</Fact>;
  return (
    <Panel
      tone={tone}
      title={asTitle(alert.kind)}
      aside={
        <>
          {isOver && <Badge tone="good">settled</Badge>}
          {alert.count > 1 && <Badge tone={tone}>{counted(alert.count, "time")}</Badge>}
          <span class="quiet">
            since <Time at={alert.firstAt} />
          </span>
        </>
      }
    >
      <div class="body alert-note">
        {!isOver && detail !== undefined && <p class="alert-detail">{detail}</p>}
        <dl class="facts">
          {now}
          {isOver && <Fact name="It was">{detail}</Fact>}
          <Fact name={isOver ? "It meant" : "It means"}>
            <Prose>{alert.means}</Prose>
          </Fact>
          {!isOver && <Doubt {...{ alert, terminalId, entry }} />}
          <Place of={place} />
          <Fact name="About">{about(alert)}</Fact>
        </dl>
        {children}
      </div>
    </Panel>
  );
}

function Place({ of }: { of: PlaceView | undefined }): JSX.Element | null {
  if (!of) return null;
  const { terminalId, terminalName, merchantId, merchantName } = of;
  return (
    <>
      <Fact name="Terminal">
        <Named name={terminalName} id={terminalId} href={linkTo("counter", terminalId)} />
      </Fact>
      <Fact name="Merchant">
        <Named name={merchantName} id={merchantId} />
      </Fact>
    </>
  );
}

/** Names the alert's charge or other identifier, or its terminal and day. */
function about({ about, terminalId, day }: AlertView): ComponentChildren {
  if (about !== undefined) return /^[\da-f]{8}-[\da-f-]{27}$/.test(about) ? <Id of={about} /> : about;
  return day && `terminal ${terminalId}, ${day}`;
}

/** Shown until the cause is over. */
const Doubt = ({ alert, terminalId, entry }: Pick<NoteProps, "alert" | "terminalId" | "entry">): JSX.Element => (
  <>
    <Fact name="The money">{entry && <Prose>{entry.money}</Prose>}</Fact>
    <Fact name="Look at">
      {entry?.lookAt && <Prose>{withWholeCommands(entry.lookAt, namesOf({ terminalId, ...alert }))}</Prose>}
    </Fact>
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
