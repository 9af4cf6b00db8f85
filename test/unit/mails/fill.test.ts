import { expect, it } from "vitest";
import { fill, inTwoLines } from "../../../shared/adapters/mails/fill.ts";

it("fills places with escaped texts, and breaks their lines", () => {
  expect(fill('<p title="{{a}}">{{a}}</p>', { a: `<"'&>\n{{b}}`, b: "!" })).toBe(
    '<p title="&lt;&quot;&#39;&amp;&gt;<br />{{b}}">&lt;&quot;&#39;&amp;&gt;<br />{{b}}</p>',
  );
});

it("keeps a section if there is a value, even an empty one, and otherwise leaves it out", () => {
  const template = "{{#a}}A{{a}}{{/a}}{{#b}}B{{b}}{{/b}}.";
  expect(fill(template, { a: "1", b: undefined })).toBe("A1.");
  expect(fill(template, { a: "", b: "2" })).toBe("AB2.");
});

it("throws for a place without a value, so that no mail is incomplete", () => {
  expect(() => fill("{{a}}", {})).toThrow("nothing for a");
});

it.each([
  ["7KQ2-9XHD-M3PC-W81*", ["7KQ2-9XHD-", "M3PC-W81*"]],
  ["A-<B", ["A-", "&lt;B"]],
  ["ABC", ["ABC", ""]],
])("breaks %s in its middle", (code, halves) => {
  const { html } = inTwoLines(code);
  expect(html.split("<wbr />").map((half) => half.replaceAll(/<\/?span[^>]*>/g, ""))).toEqual(halves);
});
