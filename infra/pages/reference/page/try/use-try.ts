import { useState } from "preact/hooks";
import type { OperationView } from "../../views/operations.ts";
import type { TryResult, TryWish } from "../../views/try.ts";
import { act } from "../../../live/page/ask.ts";
import { useDraft, wishOf, type Draft } from "./use-draft.ts";

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
  const [sent, setSent] = useState<{ readonly wish: TryWish; readonly result: TryResult }>();
  const send = async (wish: TryWish) => {
    const result = await act<TryResult>("try", wish);
    setSent({ wish, result });
    await onRefill();
  };
  return {
    operation,
    draft,
    setDraft,
    result: sent?.result,
    send: () => send(wishOf(operation.id, draft)),
    sendAgain: sent && (() => send(sent.wish)),
  };
}
