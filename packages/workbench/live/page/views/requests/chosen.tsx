import type { JSX } from "preact";
import type { CallDetail } from "../../../views/calls.ts";
import { Code, Empty, Id, Panel, prettyJson, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useLive } from "../../store.ts";
import { lengthText } from "../../text.ts";
import { useRead } from "../../use-read.ts";
import { HeadersTable } from "./headers-table.tsx";
import { ReferenceLink } from "./reference-link.tsx";
import { HttpStatus } from "./status.tsx";

/** One request with its response, and as a command. */
export function ChosenCall({ id, back }: { id: string; back: string }): JSX.Element {
  const { result: call, trouble } = useRead<CallDetail>(`calls/${encodeURIComponent(id)}`);
  return (
    <>
      <a class="back" href={back}>
        All requests
      </a>
      {call ? (
        <Call call={call} />
      ) : (
        <Panel>
          <div aria-busy={trouble === undefined}>
            <Empty>{trouble ?? "Reading the request…"}</Empty>
          </div>
        </Panel>
      )}
    </>
  );
}

const Call = ({ call }: { call: CallDetail }): JSX.Element => (
  <>
    <Panel title={call.operation} aside={<HttpStatus of={call.status} />}>
      <div class="body stack">
        <p class="call-line mono">
          <b>{call.method}</b> {call.path}
        </p>
        <dl class="facts">
          <dt>Sent</dt>
          <dd>
            <Time at={call.at} />, took {lengthText(call.ms)}
          </dd>
          {call.problem !== undefined && (
            <>
              <dt>Problem</dt>
              <dd>
                <code>{call.problem}</code>
              </dd>
            </>
          )}
          {call.requestId !== undefined && (
            <>
              <dt>Request ID</dt>
              <dd>
                <Id of={call.requestId} length={36} />
              </dd>
            </>
          )}
        </dl>
        <p class="links">
          <PaymentLink sessionId={call.sessionId} />
          <ReferenceLink operation={call.operation}>Try this operation</ReferenceLink>
        </p>
      </div>
    </Panel>
    <Panel title="As a command">
      <div class="body stack">
        <Code label="The request as curl">{call.curl}</Code>
        <p class="quiet is-small">Its keys are shown unchanged. They work only with this stack.</p>
      </div>
    </Panel>
    <Message title="Request" headers={call.requestHeaders} body={call.requestBody} />
    <Message title="Response" headers={call.responseHeaders} body={call.responseBody} />
  </>
);

function Message({ title, headers, body }: { title: string; headers: CallDetail["requestHeaders"]; body: string }) {
  return (
    <Panel title={title}>
      <div class="body">
        {body === "" ? <p class="quiet">No body.</p> : <Code label={`${title}'s body`}>{prettyJson(body)}</Code>}
      </div>
      <details class="more">
        <summary>
          Headers <span class="quiet number">{headers.length}</span>
        </summary>
        <HeadersTable headers={headers} label={`${title}'s headers`} />
      </details>
    </Panel>
  );
}

function PaymentLink({ sessionId }: { sessionId: string | undefined }): JSX.Element | null {
  const payment = useLive(({ payments }) => payments.find((one) => one.sessionId === sessionId)?.id);
  return payment === undefined ? null : <a href={linkTo("payments", payment)}>Its payment</a>;
}
