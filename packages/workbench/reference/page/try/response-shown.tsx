import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { TryResult } from "../../views/try.ts";
import { Code, Panel, prettyJson } from "../../../live/page/parts.tsx";
import { lengthText } from "../../../live/page/text.ts";
import { HeadersTable } from "../../../live/page/views/requests/headers-table.tsx";
import { HttpStatus } from "../../../live/page/views/requests/status.tsx";

interface ResponseShownProps {
  readonly result: TryResult;
  /** The live page, which shows payments. Undefined if there is none. */
  readonly liveUrl: string | undefined;
}

/** The platform's response. */
export function ResponseShown({ result, liveUrl }: ResponseShownProps): JSX.Element {
  const { status, ms, body, headers, paymentId } = result;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { y = 0 } = top.current?.getBoundingClientRect() ?? {};
    if (y < 0 || y > innerHeight) top.current?.scrollIntoView(); // on a narrow screen the form is between the two
  }, [result]);
  return (
    <div class="try-response" ref={top}>
      <Panel
        title="The response"
        aside={
          <>
            {ms !== undefined && <span class="quiet number">{lengthText(ms)}</span>}
            {status !== undefined && <HttpStatus of={status} />}
          </>
        }
      >
        <div class="body stack" role="status">
          {headers.some(([name]) => name.toLowerCase() === "idempotent-replayed") && (
            <p class="quiet">This request was a retry: nothing was done again.</p>
          )}
          {body === "" ? <p class="quiet">No body.</p> : <Code label="The response's body">{prettyJson(body)}</Code>}
          {paymentId !== undefined && liveUrl !== undefined && (
            <a href={paymentAt(liveUrl, paymentId)}>See the payment</a>
          )}
        </div>
        <details class="more">
          <summary>
            Headers <span class="quiet number">{headers.length}</span>
          </summary>
          <HeadersTable headers={headers} label="The response's headers" />
        </details>
      </Panel>
    </div>
  );
}

const paymentAt = (liveUrl: string, id: string): string =>
  new URL(`#/payments/${id.split("/").map(encodeURIComponent).join("/")}`, liveUrl).href;
