import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { MemberView } from "../../views/operations.ts";
import { Choice } from "../../../live/page/parts.tsx";
import { objectIn, textOf, typedOf, valueAt, valueOf, withValue } from "./body.ts";
import { ValueField } from "./member-field.tsx";

interface BodyFormProps {
  readonly members: readonly MemberView[];
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const shapes = [
  ["form", "Form"],
  ["json", "JSON"],
] as const;

/** The body, with a field for each member, or as the text to send. */
export function BodyForm({ members, text, onChange }: BodyFormProps): JSX.Element {
  const [shape, setShape] = useState<"form" | "json">("form");
  const body = objectIn(text);
  return (
    <div class="stack">
      <div class="body-head">
        <h3>Body</h3>
        <Choice label="The body as" isLabelHidden value={shape} options={shapes} onChoose={setShape} />
      </div>
      {shape === "form" && body ? (
        <Members members={members} body={body} onChange={(next) => onChange(textOf(next))} />
      ) : (
        <>
          {shape === "form" && (
            <p class="quiet">This is not a JSON object, so there is no form for it. It is sent unchanged.</p>
          )}
          <textarea
            aria-label="The body as JSON"
            rows={Math.min(24, text.split("\n").length + 1)}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </>
      )}
    </div>
  );
}

type Body = Readonly<Record<string, unknown>>;

interface MembersProps {
  readonly members: readonly MemberView[];
  readonly body: Body;
  readonly onChange: (body: Body) => void;
}

function Members({ members, body, onChange }: MembersProps): JSX.Element {
  const there = members.filter(({ path }) => valueAt(body, path) !== undefined);
  const absent = members.filter((member) => !there.includes(member));
  return (
    <div class="value-fields">
      {there.map((member) => (
        <ValueField
          key={member.path}
          name={member.path}
          description={member.description}
          isRequired={member.isRequired}
          choices={member.choices}
          isNumber={member.kind === "number"}
          value={typedOf(valueAt(body, member.path))}
          onType={(typed) => onChange(withValue(body, member.path, valueOf(member, typed)))}
          onRemove={member.isRequired ? undefined : () => onChange(withValue(body, member.path, undefined))}
        />
      ))}
      {absent.length > 0 && (
        <label class="add-member">
          Add a member
          <select
            value=""
            onChange={({ currentTarget }) => {
              const member = absent.find(({ path }) => path === currentTarget.value);
              if (member) onChange(withValue(body, member.path, firstValue(member)));
            }}
          >
            <option value="">{absent.length} more can be sent</option>
            {absent.map(({ path, isRequired }) => (
              <option key={path} value={path}>
                {isRequired ? `${path} (required)` : path}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

function firstValue(member: MemberView): unknown {
  const [choice] = member.choices;
  if (choice) return valueOf(member, choice[0]);
  return member.kind === "number" ? 0 : member.kind === "json" ? {} : "";
}
