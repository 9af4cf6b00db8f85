import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MailView } from "../../views/mails.ts";
import { LongList } from "../long-list.tsx";
import { Act, Empty, Panel, Time, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { counted } from "../text.ts";
import { askForToken } from "../till.ts";
import { useKeptChoice } from "../use-route.ts";
import { ChosenMail } from "./mails/chosen.tsx";

/** The mails that the platform sent. No mail leaves this machine. */
export function Mails({ chosen }: { chosen: string | undefined }): JSX.Element {
  const mails = useLive((state) => state.mails) ?? [];
  useKeptChoice("mails", chosen);
  return (
    <div class={chosen === undefined ? "chooser" : "chooser has-chosen"}>
      <Title aside={<span class="quiet number">{counted(mails.length, "mail")}</span>}>Mails</Title>
      <div class="chooser-list stack">
        <AskForToken />
        <Panel>
          {mails.length === 0 ? (
            <Empty>
              Vouchers and keys are sent to customers by mail. Ask for one above: it arrives here, and goes nowhere
              else.
            </Empty>
          ) : (
            <LongList label="Mails" noun="mail" items={mails} chosen={chosen} link={linkOf} row={rowOf} />
          )}
        </Panel>
      </div>
      <div class="chooser-chosen stack">
        {chosen === undefined ? (
          <Panel>
            <Empty>A chosen mail is shown here as the customer sees it, with its code and QR picture.</Empty>
          </Panel>
        ) : (
          <ChosenMail key={chosen} id={chosen} />
        )}
      </div>
    </div>
  );
}

const linkOf = ({ id }: MailView): string => linkTo("mails", id);

const rowOf = ({ at, subject, address }: MailView): JSX.Element => (
  <span class="mail-row">
    <Time at={at} />
    <span class="mail-what">
      <b>{subject}</b>
      <span class="quiet">{address}</span>
    </span>
  </span>
);

function AskForToken(): JSX.Element {
  const [email, setEmail] = useState("anna@example.com");
  const stack = useLive((state) => state.stack);
  const offer = (words: string, kind: "main" | "plain", template: string | undefined) =>
    stack &&
    template !== undefined && (
      <Act
        kind={kind}
        done="On its way"
        disabled={email.trim() === ""}
        onAct={() => askForToken(stack, template, email.trim())}
      >
        {words}
      </Act>
    );
  return (
    <form class="filter-bar" aria-label="Ask for a voucher or a key" onSubmit={(event) => event.preventDefault()}>
      <input
        type="email"
        aria-label="Mail address"
        value={email}
        onInput={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      {offer("Ask for a voucher", "main", stack?.templateAccessTokenID)}
      {offer("A key", "plain", stack?.keyTemplateAccessTokenID)}
      {stack?.landingPageUrl !== undefined && (
        <a href={stack.landingPageUrl} target="_blank" rel="noreferrer">
          Or request it as a customer, on the landing page
        </a>
      )}
    </form>
  );
}
