import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { StackView } from "../../views/stack.ts";
import { FilterBar } from "../filter-bar.tsx";
import { LongList } from "../long-list.tsx";
import { Code, Empty, Panel, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { counted } from "../text.ts";
import { goInstead, useRoute } from "../use-route.ts";
import { outcomes } from "./webhooks/answers.ts";
import { ChosenAttempt } from "./webhooks/chosen.tsx";
import { EventRow } from "./webhooks/event-row.tsx";
import { eventsOf, type WebhookEvent } from "./webhooks/events.ts";
import { eventsLike, filterOf, queryOf, typesOf } from "./webhooks/filter.ts";
import { Receiver } from "./webhooks/receiver.tsx";

/** The events that a partner's server would get. This page's receiver received them. */
export function Webhooks({ chosen }: { chosen: string | undefined }): JSX.Element {
  const { query } = useRoute();
  const filter = useMemo(() => filterOf(query), [query]);
  const stack = useLive((state) => state.stack);
  const receiver = useLive((state) => state.receiver);
  const events = useEvents();
  const shown = useMemo(() => eventsLike(events, filter), [events, filter]);
  const event = events.find(({ attempts }) => attempts.some(({ id }) => id === chosen));
  const attempt = event?.attempts.find(({ id }) => id === chosen);
  return (
    <div class={chosen === undefined ? "chooser webhooks" : "chooser webhooks has-chosen"}>
      <Title aside={<span class="quiet number">{counted(shown.length, "event")}</span>}>Webhooks</Title>
      <div class="chooser-list stack">
        {receiver && <Receiver receiver={receiver} />}
        <FilterBar
          label="Webhooks"
          filter={filter}
          search={{ label: "Order, session or webhook-id", placeholder: "Order or session" }}
          choices={[
            { of: "type", label: "Type", any: "Any type", options: typesOf(events, filter) },
            { of: "outcome", label: "Outcome", any: "Any outcome", options: outcomes },
          ]}
          onNarrow={(next) => goInstead(linkTo("webhooks", chosen, queryOf(next)))}
        />
        <Panel title="Events">
          {shown.length === 0 ? (
            <NoEvents hasEvents={events.length > 0} stack={stack} />
          ) : (
            <LongList
              key={query}
              label="Events"
              noun="event"
              items={shown}
              chosen={event?.id}
              link={({ attempts: [last] }) => linkTo("webhooks", last.id, query)}
              row={rowOf}
            />
          )}
        </Panel>
      </div>
      <div class="chooser-chosen stack">
        {event && attempt && stack ? (
          <ChosenAttempt key={attempt.id} event={event} attempt={attempt} secret={stack.webhookSecret} query={query} />
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

function useEvents(): readonly WebhookEvent[] {
  const webhooks = useLive((state) => state.webhooks);
  const payments = useLive((state) => state.payments);
  return useMemo(() => eventsOf(webhooks ?? [], payments ?? []), [webhooks, payments]);
}

const rowOf = (event: WebhookEvent): JSX.Element => <EventRow event={event} />;

const NoEvents = ({ hasEvents, stack }: { hasEvents: boolean; stack: StackView | undefined }): JSX.Element =>
  hasEvents ? (
    <Empty>
      No event matches. <a href={linkTo("webhooks")}>Show all events</a>
    </Empty>
  ) : (
    <div class="body stack">
      <p class="empty">
        Each change of a payment is sent here as a signed webhook, within milliseconds.{" "}
        <a href={linkTo("counter")}>Request a payment at the counter</a>
      </p>
      {stack && <Code label="The receiver's address">{stack.webhookUrl}</Code>}
    </div>
  );
