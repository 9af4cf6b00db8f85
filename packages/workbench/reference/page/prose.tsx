import type { JSX } from "preact";
import { runsOf, type Block } from "./markdown.ts";

/** A line of Markdown. */
export const Line = ({ children }: { children: string }): JSX.Element => (
  <>
    {runsOf(children).map((run, i) => {
      if (run.kind === "code") return <code key={i}>{run.text}</code>;
      if (run.kind === "strong") return <strong key={i}>{run.text}</strong>;
      if (run.kind === "link")
        return (
          <a key={i} href={run.href} target="_blank" rel="noreferrer">
            {run.text}
          </a>
        );
      return run.text;
    })}
  </>
);

export const Blocks = ({ of }: { of: readonly Block[] }): JSX.Element => (
  <>
    {of.map((block, i) => (
      <BlockShown key={i} block={block} />
    ))}
  </>
);

function BlockShown({ block }: { block: Block }): JSX.Element {
  if (block.kind === "table") return <Table head={block.head} rows={block.rows} />;
  if (block.kind === "paragraph")
    return (
      <p>
        <Line>{block.text}</Line>
      </p>
    );
  const items = block.items.map((item, i) => (
    <li key={i}>
      <Line>{item}</Line>
    </li>
  ));
  return block.isOrdered ? <ol class="steps">{items}</ol> : <ul class="points">{items}</ul>;
}

interface TableProps {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The first cell of a row is its heading. */
export const Table = ({ head, rows }: TableProps): JSX.Element => (
  <div class="scroll panel" role="region" aria-label={head.join(", ")} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {head.map((cell) => (
            <th key={cell} scope="col">
              <Line>{cell}</Line>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>
                <Line>{cell}</Line>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
