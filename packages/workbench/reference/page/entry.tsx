import type { JSX } from "preact";
import type { OperationView } from "../views/operations.ts";
import { Badge, Code, Panel, prettyJson } from "../../live/page/parts.tsx";
import type { DemoView } from "../views/demo.ts";
import { ShapeShown } from "./field-list.tsx";
import type { Shape } from "./fields.ts";
import type { EntryModel, SuccessModel } from "./model.ts";
import { Problems } from "./problems.tsx";
import { Line } from "./prose.tsx";
import { TryIt } from "./try/try-it.tsx";
import { WebhookSample } from "./webhook-sample.tsx";

interface EntryProps {
  readonly entry: EntryModel;
  readonly demo: DemoView;
  /** The filled operation. Undefined until it is read, and for a webhook. */
  readonly operation: OperationView | undefined;
  /** The guide. Webhooks show its section about verification. */
  readonly guide: string;
  readonly onRefill: () => Promise<void>;
}

/** One operation or webhook. Its input and output are at the left, and how to send it at the right. */
export function Entry({ entry, demo, operation, guide, onRefill }: EntryProps): JSX.Element {
  const isWebhook = entry.kind === "webhook";
  return (
    <article class="entry">
      <div class="entry-head">
        <h1>{entry.summary}</h1>
        {!isWebhook && (
          <p class="entry-path">
            <Badge tone={entry.method === "GET" ? "good" : "busy"}>{entry.method}</Badge> <code>{entry.path}</code>
          </p>
        )}
        {entry.description.split("\n\n").map((text) => (
          <p key={text}>
            <Line>{text}</Line>
          </p>
        ))}
        {entry.keys.length > 0 && <Keys of={entry.keys} />}
      </div>
      <div class="entry-words">{isWebhook ? <Event entry={entry} /> : <Taken entry={entry} />}</div>
      <div class="entry-actions">
        {isWebhook && <WebhookSample entry={entry} demo={demo} guide={guide} />}
        {operation && <TryIt operation={operation} liveUrl={demo.liveUrl} onRefill={onRefill} />}
      </div>
      {!isWebhook && <Responses of={entry} />}
    </article>
  );
}

/** The headers that authenticate the caller. */
const Keys = ({ of }: { of: EntryModel["keys"] }): JSX.Element => (
  <details class="keys">
    <summary>
      Keys:{" "}
      {of.map(({ header }, i) => (
        <span key={header}>
          {i > 0 && ", "}
          <code>{header}</code>
        </span>
      ))}
    </summary>
    <ul class="fields">
      {of.map(({ header, description }) => (
        <li key={header}>
          <p class="field-name">
            <code>{header}</code>
          </p>
          <p class="field-means">
            <Line>{description}</Line>
          </p>
        </li>
      ))}
    </ul>
  </details>
);

const Section = ({ title, of }: { title: string; of: Shape }): JSX.Element => (
  <section>
    <h2>{title}</h2>
    <ShapeShown of={of} />
  </section>
);

/** The input of an operation. */
const Taken = ({ entry: { parameters, headers, body } }: { entry: EntryModel }): JSX.Element => (
  <>
    {hasFields(parameters) && <Section title="Parameters" of={parameters} />}
    {hasFields(headers) && <Section title="Headers" of={headers} />}
    {body && <Section title="Body" of={body.shape} />}
  </>
);

const hasFields = (shape: Shape): boolean => shape.some(({ fields }) => fields.length > 0);

/** The output of an operation. The example of a response is next to its members. */
const Responses = ({ of: { successes, problems } }: { of: EntryModel }): JSX.Element => (
  <>
    {successes.map((success, i) => (
      <Success key={success.status} of={success} like={successes.slice(0, i).find((one) => isAlike(one, success))} />
    ))}
    <section class="entry-words">
      <h2>Problems</h2>
      <Problems of={problems} />
    </section>
  </>
);

const isAlike = (one: SuccessModel, other: SuccessModel): boolean =>
  JSON.stringify(one.body?.shape) === JSON.stringify(other.body?.shape);

interface SuccessProps {
  readonly of: SuccessModel;
  /** An earlier response with the same members. */
  readonly like: SuccessModel | undefined;
}

const Success = ({ of: { status, means, body }, like }: SuccessProps): JSX.Element => (
  <>
    <section class="entry-words">
      <h2>
        Response <Badge tone="good">{status}</Badge>
      </h2>
      <p>
        <Line>{means}</Line>
      </p>
      {body &&
        (like ? <p class="quiet">It has the members of {like.status}.</p> : <ShapeShown of={body.shape} isOpen />)}
    </section>
    {body && (
      <div class="entry-actions entry-example">
        <Panel title={`An example of ${status}`}>
          <div class="body">
            <Code label={`The example of ${status}`}>{prettyJson(JSON.stringify(body.example))}</Code>
          </div>
        </Panel>
      </div>
    )}
  </>
);

/** The webhook that your server gets, and its response. */
const Event = ({ entry: { headers, body, successes } }: { entry: EntryModel }): JSX.Element => (
  <>
    <Section title="Headers" of={headers} />
    {body && <Section title="Body" of={body.shape} />}
    <section>
      <h2>Your response</h2>
      <ul class="fields">
        {successes.map(({ status, means }) => (
          <li key={status}>
            <p class="field-name">
              <code>{status.replace("2XX", "2xx")}</code>
            </p>
            <p class="field-means">
              <Line>{means}</Line>
            </p>
          </li>
        ))}
      </ul>
    </section>
  </>
);
