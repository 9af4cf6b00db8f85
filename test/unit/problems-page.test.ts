import { describe, expect, it } from "vitest";
import { problemsHtml } from "../../packages/workbench/reference/problems-html.ts";
import { problemCodes, problemsPage, words } from "../../infra/documents/problems/page.ts";
import type { PageWords } from "../../infra/documents/problems/words/page-words.ts";
import { problems } from "../../shared/contracts/objects/problem.ts";

const pages = { liveUrl: "http://127.0.0.1:7092/", referenceUrl: "http://127.0.0.1:7090/", landingPageUrl: undefined };
const html = await problemsHtml(pages);

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
    const { always = [] }: PageWords = words[code];
    for (const part of always.filter((name) => !/^[A-Z]/.test(name))) expect(section).toContain(`"${part}": `);
  });

  it("is an anchor of the served page, to which the list links", () => {
    expect(html.split(`<section id="${code}">`)).toHaveLength(2);
    expect(html).toContain(`<td><a href="#${code}"><code>${code}</code></a></td>`);
  });
});

describe("the served page", () => {
  it("has no Markdown left, and loads only the reference's style and icon", () => {
    expect(html).not.toMatch(/<script|`|\*\*|\]\(|\|---|<p>(?:#|&lt;!)/);
    const loaded = [...html.matchAll(/<(?:link|img)[^>]* (?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    expect(new Set(loaded)).toEqual(new Set(["favicon.svg", "style.css"]));
  });

  it("links to the pages that are served", () => {
    const head = html.split("</header>")[0] ?? "";
    const links = [...head.matchAll(/<a href="(http[^"]*)"[^>]*>([^<]*)/g)].map(([, href, name]) => [name, href]);
    expect(links).toEqual([
      ["Live page", pages.liveUrl],
      ["API reference", pages.referenceUrl],
      ["Problems", `${pages.referenceUrl}problems`],
    ]);
  });
});
