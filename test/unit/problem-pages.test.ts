import { describe, expect, it } from "vitest";
import { problemSite } from "../../infra/problems/html.ts";
import { problemCodes, problemPage } from "../../infra/problems/page.ts";
import { problems } from "../../shared/contracts/objects/problem.ts";

describe.each(problemCodes)("the page of %s", (code) => {
  const [type, html = ""] = problemSite(`/problems/${code}`) ?? [];
  const texts = problemPage(code).map((block) => ("text" in block ? block.text : ""));
  const retry = texts[texts.indexOf("May I send it again?") + 1];

  it("says of the same request what the member `retryable` says", () => {
    expect(retry).toMatch(
      problems[code].retryable ? /^Yes: the same request/ : /^(?:No\b|Only\b|Yes, (?:corrected|with))/,
    );
  });

  it("shows the code, what to do and an example, and loads nothing but its style", () => {
    expect(type).toBe("text/html");
    for (const part of [`<code>${code}</code>`, "What happened", "What to do", "&quot;retryable&quot;", "<li>"])
      expect(html).toContain(part);
    expect(html).not.toMatch(/<script|`|\]\(|(?:src|href)="(?!\/problems)/);
  });
});

it("the list links to every page, and a code that is none has no page", () => {
  const [, list = ""] = problemSite("/problems") ?? [];
  for (const code of problemCodes) expect(list).toContain(`href="/problems/${code}"`);
  for (const path of ["/problems/none", "/problems/toString", "/problems/../package.json", "/problem"])
    expect(problemSite(path)).toBeUndefined();
  expect(problemSite("/problems/style.css")?.[0]).toBe("text/css");
});
