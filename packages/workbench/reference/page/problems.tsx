import type { JSX } from "preact";
import { Code } from "../../live/page/parts.tsx";
import { HttpStatus } from "../../live/page/views/requests/status.tsx";
import type { ProblemModel } from "./model.ts";

/** The possible problems, one line each. Their examples are folded. */
export const Problems = ({ of }: { of: readonly ProblemModel[] }): JSX.Element => (
  <ul class="problems">
    {of.map(({ status, code, title, isRetryable, examples }) => (
      <li key={code}>
        <details>
          <summary>
            <HttpStatus of={Number(status)} />
            <code>{code}</code>
            <span class="quiet">{title}</span>
            {isRetryable && <span class="retryable">retryable</span>}
          </summary>
          {examples.map(({ summary, value }) => (
            <div key={summary} class="example">
              {examples.length > 1 && <p class="quiet is-small">{summary}</p>}
              <Code label={`An example of ${code}${examples.length > 1 ? `: ${summary}` : ""}`}>
                {JSON.stringify(value, null, 2)}
              </Code>
            </div>
          ))}
          <a href={`problems#${code}`}>Read what happened, and what to do</a>
        </details>
      </li>
    ))}
  </ul>
);
