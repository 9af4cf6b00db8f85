import type { ReceiverView } from "../../../views/webhooks.ts";
import type { Tone } from "../../parts.tsx";
import type { Outcome } from "./events.ts";

/** The receiver's possible responses, and the platform's reaction to each. */
export const answers: Readonly<Record<ReceiverView["answer"], { readonly name: string; readonly means: string }>> = {
  "200": { name: "200", means: "The event is delivered." },
  "500": {
    name: "500",
    means:
      "The platform retries after 5 s, 30 s, 2 min and 10 min, then at longer and longer intervals, for about a week.",
  },
  "410": { name: "410 Gone", means: "The platform does not send this event again." },
  hang: {
    name: "No response",
    means: "The platform waits until the attempt times out, then retries as after a failure.",
  },
};

/** The outcomes of an event, as the filter's options. */
export const outcomes: readonly (readonly [value: Outcome, name: string])[] = [
  ["delivered", "Delivered"],
  ["open", "Not delivered yet"],
  ["givenUp", "Given up"],
];

/** The tone of the response to an attempt. `answer` is undefined while there is no response. */
export function answerTone(answer: number | undefined): Tone {
  if (answer === undefined) return "warn";
  return answer < 300 ? "good" : "bad";
}

export const answerWords = (answer: number | undefined): string => (answer === undefined ? "no response" : `${answer}`);
