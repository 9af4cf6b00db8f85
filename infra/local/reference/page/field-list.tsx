import type { JSX } from "preact";
import type { Field, Shape } from "./fields.ts";
import { Line } from "./prose.tsx";

/** The members of a body, or parameters, with what they mean. Members of members are folded. */
export const ShapeShown = ({ of }: { of: Shape }): JSX.Element => (
  <>
    {of.map(({ name, fields }) =>
      name === "" ? (
        <FieldList key={name} of={fields} />
      ) : (
        <details key={name} class="form-of">
          <summary>
            <code>{name}</code>
          </summary>
          <FieldList of={fields} />
        </details>
      ),
    )}
  </>
);

const FieldList = ({ of }: { of: readonly Field[] }): JSX.Element => (
  <ul class="fields">
    {of.map((field) => (
      <li key={field.name}>
        <FieldShown field={field} />
      </li>
    ))}
  </ul>
);

/** More values than these are folded. */
const FEW = 14;

function FieldShown({ field }: { field: Field }): JSX.Element {
  const { name, type, isRequired, description, limits, values, inner } = field;
  return (
    <>
      <p class="field-name">
        <code>{name}</code>
        <span class="quiet">{[type, ...limits].join(" · ")}</span>
        {isRequired && <span class="required">required</span>}
      </p>
      {description !== "" && (
        <p class="field-means">
          <Line>{description}</Line>
        </p>
      )}
      {values.length > 0 && <Values of={values} />}
      {inner.length > 0 && (
        <details>
          <summary>{inner.length === 1 ? "its member" : `its ${inner.length} members`}</summary>
          <FieldList of={inner} />
        </details>
      )}
    </>
  );
}

function Values({ of }: { of: readonly string[] }): JSX.Element {
  const list = (
    <ul class="values">
      {of.map((value) => (
        <li key={value}>
          <code>{value}</code>
        </li>
      ))}
    </ul>
  );
  if (of.length <= FEW) return list;
  return (
    <details>
      <summary>one of {of.length} values</summary>
      {list}
    </details>
  );
}
