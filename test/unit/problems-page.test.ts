import { describe, expect, it } from "vitest";
import { problemsHtml } from "../../infra/pages/reference/problems-html.ts";
import { problemCodes, problemsPage } from "../../infra/documents/problems/page.ts";
import { problems } from "../../shared/contracts/objects/problem.ts";

const html = await problemsHtml();

describe.each(problemCodes)("the section about %s", (code) => {
  const section = problemsPage().split(`\n## \`${code}\`\n`)[1]?.split("\n## ")[0] ?? "";

  it("describes repeating the request as the member `retryable` does", () => {
    const [, retry] = section.split("**Retry?** ");
    expect(retry).toMatch(
      problems[code].retryable ? /^Yes: the same request/ : /^(?:No\b|Only\b|Yes, (?:corrected|with))/,
    );
  });

  it("has an example of the code, what to do, and who responds with it", () => {
    for (const part of [`"code": "${code}"`, `"status": ${problems[code].status}`, "\n- ", "**From** "])
      expect(section).toContain(part);
  });

  it("is an anchor of the served page, to which the list links", () => {
    expect(html.split(`<section id="${code}">`)).toHaveLength(2);
    expect(html).toContain(`<td><a href="#${code}"><code>${code}</code></a></td>`);
  });
});

it("the served page has no Markdown left, and loads only the reference's style", () => {
  expect(html).not.toMatch(/<script|`|\*\*|\]\(|\|---|<p>(?:#|&lt;!)/);
  expect([...html.matchAll(/(?:src|href)="([^#"][^"]*)"/g)].map(([, url]) => url)).toEqual(["data:,", "style.css"]);
});
