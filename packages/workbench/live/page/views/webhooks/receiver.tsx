import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ReceiverView } from "../../../views/webhooks.ts";
import { act } from "../../ask.ts";
import { Choice, Panel } from "../../parts.tsx";
import { answers } from "./answers.ts";

type Answer = ReceiverView["answer"];
const order: readonly Answer[] = ["200", "500", "410", "hang"];
const options = order.map((answer) => [answer, answers[answer].name] as const);

/** How the receiver responds from now on. */
export function Receiver({ receiver }: { receiver: ReceiverView }): JSX.Element {
  const [refusal, setRefusal] = useState("");
  const isForwarded = receiver.forwardedTo !== undefined;
  const choose = (answer: Answer) => {
    setRefusal("");
    act("receiver", { answer }).catch((error: unknown) =>
      setRefusal(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <Panel title="The receiver responds">
      <div class={isForwarded ? "body receiver is-forwarded" : "body receiver"}>
        <Choice
          label={isForwarded ? "If nothing is forwarded, the receiver responds" : "The receiver responds"}
          isLabelHidden={!isForwarded}
          value={receiver.answer}
          options={options}
          onChoose={choose}
        />
        {isForwarded ? (
          <p role="status">
            Webhooks are forwarded to <code>{receiver.forwardedTo}</code>, and its status is the response.
          </p>
        ) : (
          <p class="quiet">{answers[receiver.answer].means}</p>
        )}
        {refusal !== "" && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
      </div>
    </Panel>
  );
}
