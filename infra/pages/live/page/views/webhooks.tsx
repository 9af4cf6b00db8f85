import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { StackView } from "../../views/stack.ts";
import { LongList } from "../long-list.tsx";
import { Code, Empty, Panel, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { counted } from "../text.ts";
import { ChosenAttempt } from "./webhooks/chosen.tsx";
import { EventRow } from "./webhooks/event-row.tsx";
import { eventsOf, type WebhookEvent } from "./webhooks/events.ts";
import { Receiver } from "./webhooks/receiver.tsx";

/** The events that a partner's server would get. This page's receiver received them. */
export function Webhooks({ chosen }: { chosen: string | undefined }): JSX.Element {
  const webhooks = useLive((state) => state.webhooks);
  const stack = useLive((state) => state.stack);
  const receiver = useLive((state) => state.receiver);
  const events = useMemo(() => eventsOf(webhooks ?? []), [webhooks]);
  const event = events.find(({ attempts }) => attempts.some(({ id }) => id === chosen));
  const attempt = event?.attempts.find(({ id }) => id === chosen);
  return (
    <div class={chosen === undefined ? "chooser webhooks" : "chooser webhooks has-chosen"}>
      <Title aside={<span class="quiet number">{counted(events.length, "event")}</span>}>Webhooks</Title>
      <div class="chooser-list stack">
        {receiver && <Receiver receiver={receiver} />}
        <Panel title="Events">
          {events.length === 0 ? (
            <NoEvents stack={stack} />
          ) : (
            <LongList label="Events" noun="event" items={events} chosen={event?.id} link={linkOf} row={rowOf} />
          )}
        </Panel>
      </div>
      <div class="stack">
        {event && attempt && stack ? (
          <ChosenAttempt key={attempt.id} event={event} attempt={attempt} secret={stack.webhookSecret} />
        ) : (
          <Panel>
            <Empty>
              {chosen === undefined
                ? "Choose an event to see its headers and its body, and how its signature is checked."
                : "This attempt is no longer kept here."}
            </Empty>
          </Panel>
        )}
      </div>
    </div>
  );
}

const linkOf = ({ attempts: [last] }: WebhookEvent): string => linkTo("webhooks", last.id);
const rowOf = (event: WebhookEvent): JSX.Element => <EventRow event={event} />;

const NoEvents = ({ stack }: { stack: StackView | undefined }): JSX.Element => (
  <div class="body stack">
    <p class="empty">
      Each change of a payment is sent here as a signed webhook, within milliseconds.{" "}
      <a href={linkTo("counter")}>Request a payment at the counter</a>
    </p>
    {stack && <Code label="The receiver's address">{stack.webhookUrl}</Code>}
  </div>
);
