import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { newSender, type Sender, type Sending } from "./kept-request.ts";
import { Refused } from "./parts.tsx";
import { sendToPlatform, type TillRequest } from "./till.ts";

/** The senders of the page, which outlive the views. Each sends the requests of one purpose. */
const senders = new Map<string, Sender<TillRequest>>();

function senderOf(purpose: string): Sender<TillRequest> {
  const sender = senders.get(purpose) ?? newSender(sendToPlatform);
  senders.set(purpose, sender);
  return sender;
}

function useSending(sender: Sender<TillRequest>): Sending<TillRequest> {
  const [, draw] = useState({});
  useEffect(() => sender.subscribe(() => draw({})), [sender]);
  return sender.state();
}

interface SendOnceProps {
  /** Names what it requests, such as the refund of a payment. */
  readonly purpose: string;
  /** The request, under new identifiers. */
  readonly request: () => TillRequest;
  readonly onSent?: (request: TillRequest) => void;
  readonly kind?: "plain" | "main" | "danger";
  readonly disabled?: boolean;
  /** A refusal disappears when this changes: it was about the form as it was. */
  readonly about?: string;
  readonly children: ComponentChildren;
}

/**
 * A button that requests something from the platform, also when Enter is pressed in its form. While it is unknown whether that was
 * requested, it sends the same request again.
 */
export function SendOnce(props: SendOnceProps): JSX.Element {
  const { purpose, request, onSent, kind = "plain", disabled = false, about, children } = props;
  const sender = senderOf(purpose);
  const { isSending, kept, refusal } = useSending(sender);
  useEffect(() => () => sender.clearRefusal(), [sender, about]);
  const press = async () => {
    const sent = await sender.send(request());
    if (sent) onSent?.(sent);
  };
  return (
    <span class="act">
      <button
        type="submit"
        class={`button is-${kept ? "main" : kind}`}
        aria-busy={isSending}
        disabled={isSending || (disabled && !kept)}
        onClick={() => void press()}
      >
        {kept ? "Send the same request again" : children}
      </button>
      <Refused sentence={refusal} />
      {kept && <Unknown request={kept} />}
    </span>
  );
}

const Unknown = ({ request: { what, names } }: { request: TillRequest }): JSX.Element => (
  <span class="unknown" role="status">
    <strong>It is unknown whether {what} was requested.</strong> The till keeps the request. Sent again with the same{" "}
    {names}, it is carried out only once.
  </span>
);
