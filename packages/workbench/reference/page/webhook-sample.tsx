import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Code, Panel } from "../../live/page/parts.tsx";
import { signatureOf } from "../../live/page/views/webhooks/signature.ts";
import type { DemoView } from "../views/demo.ts";
import { sectionsOf } from "./markdown.ts";
import type { EntryModel } from "./model.ts";
import { Blocks } from "./prose.tsx";

interface WebhookSampleProps {
  readonly entry: EntryModel;
  readonly demo: DemoView;
  readonly guide: string;
}

/** A webhook as it arrives, signed with the demo's secret, and how to verify it. */
export function WebhookSample({ entry, demo, guide }: WebhookSampleProps): JSX.Element {
  const { id = "" } = Object(entry.body?.example) as { readonly id?: string };
  const [timestamp] = useState(() => String(Math.floor(Date.now() / 1000)));
  const body = JSON.stringify(entry.body?.example);
  const signature = useSignature({ id, timestamp, body }, demo.webhookSecret);
  const verifying = sectionsOf(guide).find(({ slug }) => slug === "verify-a-webhook");
  return (
    <>
      <Panel title="As it arrives">
        <div class="body stack">
          <Code label="The webhook">{`POST /your/webhooks
content-type: application/json
webhook-id: ${id}
webhook-timestamp: ${timestamp}
webhook-signature: v1,${signature}

${body}`}</Code>
          <p class="quiet is-small">
            Signed just now with the demo&#8217;s secret, so that you can check your own code with it. Copy the whole
            text: the signature is valid only for exactly these bytes.
          </p>
          <Code label="The demo's webhook secret">{demo.webhookSecret}</Code>
          {demo.liveUrl !== undefined && (
            <a href={new URL("#/webhooks", demo.liveUrl).href} target="_blank" rel="noreferrer">
              See real webhooks on the live page
            </a>
          )}
        </div>
      </Panel>
      {verifying && (
        <Panel title={verifying.title}>
          <div class="body stack">
            <Blocks of={verifying.blocks} />
          </div>
        </Panel>
      )}
    </>
  );
}

/** Empty until it is computed. */
function useSignature(parts: Parameters<typeof signatureOf>[0], secret: string): string {
  const [signature, setSignature] = useState("");
  const { id, timestamp, body } = parts;
  useEffect(() => {
    signatureOf({ id, timestamp, body }, secret).then(setSignature, (error: unknown) => console.error(error));
  }, [id, timestamp, body, secret]);
  return signature;
}
