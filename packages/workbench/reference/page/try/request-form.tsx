import type { JSX } from "preact";
import { BodyForm } from "./body-form.tsx";
import { ValueField } from "./member-field.tsx";
import type { Trying } from "./use-try.ts";

/** A field for each parameter, and for each member of the body. */
export function RequestForm({ trying }: { readonly trying: Trying }): JSX.Element {
  const { operation, draft, setDraft } = trying;
  return (
    <>
      {operation.fields.length > 0 && (
        <div class="value-fields">
          {operation.fields.map(({ name, description, isRequired }) => (
            <ValueField
              key={name}
              name={name}
              description={description}
              isRequired={isRequired}
              choices={[]}
              value={draft.fields[name] ?? ""}
              onType={(typed) => setDraft({ ...draft, fields: { ...draft.fields, [name]: typed } })}
            />
          ))}
        </div>
      )}
      {draft.body !== undefined && (
        <BodyForm members={operation.members} text={draft.body} onChange={(body) => setDraft({ ...draft, body })} />
      )}
    </>
  );
}
