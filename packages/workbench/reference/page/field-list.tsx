import type { JSX } from "preact";
import type { Field, Shape } from "./fields.ts";
import { blocksOf, type Block } from "./markdown.ts";
import { Blocks } from "./prose.tsx";

/** The members of a body, or parameters, with their meanings. Nested members and forms are folded, if the forms are not open. */
export const ShapeShown = ({ of, isOpen = false }: { of: Shape; isOpen?: boolean }): JSX.Element => (
  <>
    {of.map(({ name, fields }) =>
      name === "" ? (
        <FieldList key={name} of={fields} />
      ) : (
        <details key={name} class="form-of" open={isOpen}>
          <summary>
            <code>{name}</code>
          </summary>
          <FieldList of={fields} />
        </details>
      ),
    )}
  </>
);

const FieldList = ({ of, within = "" }: { of: readonly Field[]; within?: string }): JSX.Element => (
  <ul class="fields">
    {of.map((field) => (
      <li key={field.name} data-member={within + field.name}>
        <FieldShown field={field} within={within} />
      </li>
    ))}
  </ul>
);

/** A longer list of values is folded. The events of a payment are not. */
const FEW = 15;

function FieldShown({ field, within }: { field: Field; within: string }): JSX.Element {
  const { name, type, isRequired, description, limits, values, inner } = field;
  return (
    <>
      <p class="field-name">
        <code>{name}</code>
        <span class="quiet">{[type, ...limits].join(" · ")}</span>
        {isRequired && <span class="required">required</span>}
      </p>
      {blocksOf(description).map((block, i) => (
        <Means key={i} of={block} />
      ))}
      {values.length > 0 && <Values of={values} />}
      {inner.length > 0 && (
        <details>
          <summary>{inner.length === 1 ? "its member" : `its ${inner.length} members`}</summary>
          <FieldList of={inner} within={`${within}${name}.`} />
        </details>
      )}
    </>
  );
}

/** A part of a member's description. A long list of values is folded. */
function Means({ of }: { of: Block }): JSX.Element {
  const shown = (
    <div class="field-means">
      <Blocks of={[of]} />
    </div>
  );
  if (of.kind !== "list" || of.items.length <= FEW) return shown;
  return (
    <details>
      <summary>one of {of.items.length} values</summary>
      {shown}
    </details>
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
