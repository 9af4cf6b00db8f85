import { useEffect, useState } from "preact/hooks";
import type { OperationView } from "../../views/operations.ts";
import type { TryResult, TryInput } from "../../views/try.ts";
import { act } from "../../../live/page/ask.ts";
import { filledAnew } from "./body.ts";

/** A person's draft of an operation's request. */
export interface Draft {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const draftOf = ({ fields, body }: OperationView): Draft => ({
  fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  body,
});

export const inputOf = (operation: string, { fields, body }: Draft): TryInput => ({
  operation,
  fields,
  ...(body === undefined ? { body: undefined } : { body }),
});

/** The draft of an operation. When the operation is filled again, values that the person did not change are filled again too. */
export function useDraft(operation: OperationView): [draft: Draft, set: (draft: Draft) => void] {
  const [known, setKnown] = useState({ operation, draft: draftOf(operation) });
  const draft =
    known.operation === operation
      ? known.draft
      : known.operation.id === operation.id
        ? draftAnew(known.draft, known.operation, operation)
        : draftOf(operation);
  useEffect(() => {
    setKnown((before) => (before.operation === operation ? before : { operation, draft }));
  }, [operation]);
  return [draft, (next) => setKnown({ operation, draft: next })];
}

const draftAnew = (draft: Draft, before: OperationView, now: OperationView): Draft => ({
  fields: Object.fromEntries(
    now.fields.map(({ name, value }) => {
      const mine = draft.fields[name] ?? "";
      return [name, mine === before.fields.find((field) => field.name === name)?.value ? value : mine];
    }),
  ),
  body: draft.body === undefined ? now.body : filledAnew(draft.body, before.body ?? "", now.body ?? ""),
});

const PAUSE_MS = 150;

/** The request as a command. It is updated shortly after each change of the request. */
export function useCurl(operation: string, draft: Draft): string | undefined {
  const [curl, setCurl] = useState<string>();
  const asked = JSON.stringify(inputOf(operation, draft));
  useEffect(() => {
    let isOver = false;
    const keep = (result: TryResult | undefined) => {
      if (!isOver) setCurl(result?.curl);
    };
    const load = () => act<TryResult>("try", { ...(JSON.parse(asked) as TryInput), preview: true });
    const timer = setTimeout(() => {
      load().then(keep, () => keep(undefined)); // the error is shown when the request is sent
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked]);
  return curl;
}
