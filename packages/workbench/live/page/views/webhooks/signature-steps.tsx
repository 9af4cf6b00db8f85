import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { WebhookView } from "../../../views/webhooks.ts";
import { Badge, Panel } from "../../parts.tsx";
import { partsOf, receivedOf, runsOf, signatureOf } from "./signature.ts";

interface StepsProps {
  readonly attempt: WebhookView;
  readonly secret: string;
}

/** Shows, step by step, how a receiver checks that a webhook is genuine. A person can change the body to see the check fail, if the browser can compute it. */
export function SignatureSteps({ attempt, secret }: StepsProps): JSX.Element {
  const [body, setBody] = useState(attempt.body);
  const parts = { ...partsOf(attempt), body };
  const expected = useSignature(parts, secret) ?? attempt.signature.expected;
  const received = receivedOf(attempt, expected);
  const isValid = expected === received;
  const isChanged = body !== attempt.body;
  return (
    <Panel
      title="Is it genuine?"
      aside={
        <span role="status">
          <Badge tone={isValid ? "good" : "bad"}>{isValid ? "signature valid" : "signature not valid"}</Badge>
        </span>
      }
    >
      <ol class="body signature-steps">
        <li>
          <h3>The signed text</h3>
          <p class="quiet">
            The identifier, the time of the attempt and the body as it arrived, joined by dots.{" "}
            {isSecureContext && "If you change a letter of the body, the signature no longer matches."}
          </p>
          <p class="signed-parts">
            <span title="webhook-id">{parts.id}</span>.<span title="webhook-timestamp">{parts.timestamp}</span>.
          </p>
          <textarea
            aria-label="The signed body"
            spellcheck={false}
            rows={6}
            value={body}
            readOnly={!isSecureContext}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
          {isChanged && (
            <button type="button" class="button" onClick={() => setBody(attempt.body)}>
              As it arrived
            </button>
          )}
        </li>
        <li>
          <h3>The key</h3>
          <p class="quiet">
            HMAC-SHA256 under the secret that only the partner and the platform know. This one is the demo&#8217;s.
          </p>
          <p class="secret">{secret}</p>
        </li>
        <li>
          <h3>The two results</h3>
          <p class="quiet">A receiver computes the first, and reads the second from the header webhook-signature.</p>
          <Comparison expected={expected} received={received} />
        </li>
      </ol>
    </Panel>
  );
}

/** Undefined until it is computed, and if the browser cannot compute it. */
function useSignature(parts: Parameters<typeof signatureOf>[0], secret: string): string | undefined {
  const [signature, setSignature] = useState<string>();
  const { id, timestamp, body } = parts;
  useEffect(() => {
    if (!isSecureContext) return;
    let isOver = false;
    const workOut = async () => {
      const result = await signatureOf({ id, timestamp, body }, secret);
      if (!isOver) setSignature(result);
    };
    workOut().catch((error: unknown) => console.error(error));
    return () => {
      isOver = true;
    };
  }, [id, timestamp, body, secret]);
  return signature;
}

function Comparison({ expected, received }: { expected: string; received: string }): JSX.Element {
  const runs = runsOf(expected, received);
  const line = (side: "left" | "right") =>
    runs.map((run, i) => (run.isAlike ? <span key={i}>{run[side]}</span> : <mark key={i}>{run[side]}</mark>));
  return (
    <dl class="comparison">
      <div>
        <dt>computed</dt>
        <dd>{line("left")}</dd>
      </div>
      <div>
        <dt>received</dt>
        <dd>{line("right")}</dd>
      </div>
    </dl>
  );
}
