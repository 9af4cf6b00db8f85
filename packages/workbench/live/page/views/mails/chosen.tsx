import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MailDetail } from "../../../views/mails.ts";
import { Choice, Code, Empty, Panel, Time } from "../../parts.tsx";
import { linkTo } from "../../routes.ts";
import { useRead } from "../../use-read.ts";
import { HeadersTable } from "../requests/headers-table.tsx";
import { codeIn } from "./code-in.ts";
import { CodePanel } from "./code-panel.tsx";

/** One mail: its code, and its content. */
export function ChosenMail({ id }: { id: string }): JSX.Element {
  const { result: mail, trouble } = useRead<MailDetail>(`mails/${encodeURIComponent(id)}`);
  const code = mail && codeIn(mail.text);
  return (
    <>
      <a class="back" href={linkTo("mails")}>
        All mails
      </a>
      {mail ? (
        <>
          <Head mail={mail} />
          {code !== undefined && <CodePanel code={code} picture={mail.pictures[0]} />}
          <Content mail={mail} />
        </>
      ) : (
        <Panel>
          <div aria-busy={trouble === undefined}>
            <Empty>{trouble ?? "Reading the mail…"}</Empty>
          </div>
        </Panel>
      )}
    </>
  );
}

const Head = ({ mail }: { mail: MailDetail }): JSX.Element => (
  <Panel title={mail.subject}>
    <dl class="facts body">
      <dt>From</dt>
      <dd>{mail.from}</dd>
      <dt>To</dt>
      <dd>{mail.address}</dd>
      <dt>Sent</dt>
      <dd>
        <Time at={mail.at} />
      </dd>
    </dl>
  </Panel>
);

const shapes = [
  ["html", "As the customer sees it"],
  ["text", "Text"],
  ["headers", "Headers"],
] as const;
type Shape = (typeof shapes)[number][0];

function Content({ mail }: { mail: MailDetail }): JSX.Element {
  const [shape, setShape] = useState<Shape>("html");
  return (
    <Panel>
      <div class="body stack">
        <Choice label="The mail's content" isLabelHidden value={shape} options={shapes} onChoose={setShape} />
        {shape !== "headers" && <p class="quiet is-small">The mail's times are in the shop's time zone.</p>}
        {shape === "html" && (
          <iframe
            class="mail-frame"
            sandbox=""
            title={`The mail: ${mail.subject}`}
            src={`/mails/${encodeURIComponent(mail.id)}/html`}
          />
        )}
        {shape === "text" && <Code label="The mail's text">{mail.text}</Code>}
      </div>
      {shape === "headers" && <HeadersTable headers={mail.headers} label="The mail's headers" />}
    </Panel>
  );
}
