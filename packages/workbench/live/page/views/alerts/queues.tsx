import type { JSX } from "preact";
import type { RunbookEntry } from "../../../views/alerts.ts";
import type { QueueView } from "../../../views/queues.ts";
import { act } from "../../ask.ts";
import { Act, Empty, Panel } from "../../parts.tsx";
import { Prose } from "../../prose.tsx";

/** The content of each queue. */
const carries: Readonly<Record<string, string>> = {
  "terminal-messages": "messages to terminals",
  "webhook-deliveries": "first attempts of webhooks",
  "webhook-retries": "later attempts of webhooks",
  deadlines: "what is due at a certain time",
  "access-tokens": "vouchers and keys",
  mails: "mails to customers",
  "operator-alerts": "alerts",
  bookings: "movements of money for the books",
};

const counts = ["active", "locked", "scheduled", "deadLettered"] as const;
const countWords = {
  active: "Waiting",
  locked: "In work",
  scheduled: "Scheduled",
  deadLettered: "Dead letters",
} as const;

/** The queues that carry the effects of changes: how many messages wait, are being processed, are scheduled, or have failed permanently. */
export function Queues({ queues, entries }: QueuesProps): JSX.Element {
  const most = Math.max(
    10,
    ...queues.map((queue) => queue.active + queue.locked + queue.scheduled + queue.deadLettered),
  );
  const dead = queues.filter(({ deadLettered }) => deadLettered > 0);
  return (
    <Panel title="Queues" aside={<Legend />}>
      {queues.length === 0 && <Empty>The sizes of the queues are not known yet.</Empty>}
      {queues.length > 0 && (
        <div class="scroll">
          <table class="queues">
            <caption class="unseen">Queues, with the number of their messages</caption>
            <thead>
              <tr>
                <th scope="col">Queue</th>
                {counts.map((count) => (
                  <th key={count} scope="col" class="end">
                    {countWords[count]}
                  </th>
                ))}
                <td class="queue-bar" />
              </tr>
            </thead>
            <tbody>
              {queues.map((queue) => (
                <Row key={queue.name} queue={queue} most={most} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="body dead-letters">
        <p class="quiet">
          A dead letter is a message that failed at every attempt for a day, or that no part of the platform can read.
          It is kept, and an alert names it. Its effect has not happened.
        </p>
        {dead.map(({ name }) => (
          <DeadLetters key={name} name={name} entry={entries[name]} />
        ))}
      </div>
    </Panel>
  );
}

interface QueuesProps {
  readonly queues: readonly QueueView[];
  /** The runbook's entries of dead letters, by queue. */
  readonly entries: Readonly<Record<string, RunbookEntry>>;
}

const Legend = (): JSX.Element => (
  <ul class="legend" aria-hidden="true">
    {counts.map((count) => (
      <li key={count} class={`of-${count}`}>
        {countWords[count]}
      </li>
    ))}
  </ul>
);

const Row = ({ queue, most }: { queue: QueueView; most: number }): JSX.Element => (
  <tr>
    <th scope="row">
      {queue.name} <small class="quiet">{carries[queue.name] ?? ""}</small>
    </th>
    {counts.map((count) => (
      <td key={count} class={`end number${countClass(count, queue[count])}`}>
        {queue[count]}
      </td>
    ))}
    <td class="queue-bar" aria-hidden="true">
      <span class="bar">
        {counts.map((count) => (
          <span key={count} class={`of-${count}`} style={{ width: `${(queue[count] / most) * 100}%` }} />
        ))}
      </span>
    </td>
  </tr>
);

function countClass(count: (typeof counts)[number], number: number): string {
  if (number === 0) return " is-none";
  return count === "deadLettered" ? " is-bad" : "";
}

const DeadLetters = ({ name, entry }: { name: string; entry: RunbookEntry | undefined }): JSX.Element => (
  <dl class="facts">
    <dt>{name}</dt>
    <dd>
      {entry && <Prose>{entry.money}</Prose>}
      <p>
        <Act
          label={`Send them again: the dead letters of ${name}`}
          done="Sent"
          onAct={() => act(`queues/${encodeURIComponent(name)}/replay`)}
        >
          Send them again
        </Act>{" "}
        <span class="quiet">after their cause is removed</span>
      </p>
    </dd>
    {entry?.toDo !== undefined && (
      <>
        <dt>Do</dt>
        <dd>
          <Prose>{entry.toDo}</Prose>
        </dd>
      </>
    )}
  </dl>
);
