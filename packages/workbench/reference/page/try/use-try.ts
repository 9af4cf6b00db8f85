import { useState } from "preact/hooks";
import type { OperationView } from "../../views/operations.ts";
import type { TryResult, TryInput } from "../../views/try.ts";
import { act } from "../../../live/page/ask.ts";
import { useDraft, inputOf, type Draft } from "./use-draft.ts";

/** An operation that a person tries: the draft of its request, and the last result. */
export interface Trying {
  readonly operation: OperationView;
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly result: TryResult | undefined;
  readonly send: () => Promise<void>;
  /** Undefined until something was sent. */
  readonly sendAgain: (() => Promise<void>) | undefined;
}

/** The operation is filled again after each request. */
export function useTry(operation: OperationView, onRefill: () => Promise<void>): Trying {
  const [draft, setDraft] = useDraft(operation);
  const [sent, setSent] = useState<{ readonly input: TryInput; readonly result: TryResult }>();
  const send = async (input: TryInput) => {
    const result = await act<TryResult>("try", input);
    setSent({ input, result });
    await onRefill();
  };
  return {
    operation,
    draft,
    setDraft,
    result: sent?.result,
    send: () => send(inputOf(operation.id, draft)),
    sendAgain: sent && (() => send(sent.input)),
  };
}
