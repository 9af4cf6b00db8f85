import { problemPage, problemRows, type Block } from "./page.ts";
import type { ProblemCode } from "../../shared/contracts/objects/problem.ts";

const GENERATED = "<!-- Written by npm run docs from infra/problems: change it there. -->";
const ALL = "[All problems](README.md)";

/** A code's page in `docs/problems`. */
export const problemMarkdown = (code: ProblemCode): string =>
  `${[GENERATED, ...problemPage(code).map(markdownOf), ALL].join("\n\n")}\n`;

/** The list of all codes, `docs/problems/README.md`. */
export function problemIndexMarkdown(): string {
  const rows = problemRows().map(([code, status, title, again]) => [`[\`${code}\`](${code}.md)`, status, title, again]);
  return `${[GENERATED, "# Problems", INTRODUCTION, tableOf(["code", "status", "meaning", "again"], rows)].join("\n\n")}\n`;
}

export const INTRODUCTION =
  "Every error of the three APIs has a `code`, and each code has a page: what happened, whether the same request may be sent again, what to do. `again` is the member `retryable`. An error carries the address of its page as `docUrl` where the platform's operator publishes these pages.";

function markdownOf(block: Block): string {
  switch (block.kind) {
    case "title":
      return `# ${block.text}`;
    case "heading":
      return `## ${block.text}`;
    case "text":
      return block.text;
    case "list":
      return block.items.map((item) => `- ${item}`).join("\n");
    case "table":
      return tableOf(block.head, block.rows);
    case "json":
      return `\`\`\`json\n${block.text}\n\`\`\``;
  }
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
