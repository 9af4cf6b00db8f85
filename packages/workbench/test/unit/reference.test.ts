import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../../../functions/endpoints.ts";
import { shapeOf } from "../../reference/page/fields.ts";
import { apiModel, apiNames } from "../../reference/page/model.ts";
import type { OpenApi } from "../../reference/page/openapi.ts";
import { runsOf, sectionsOf } from "../../reference/page/markdown.ts";
import { startReference } from "../../reference/reference.ts";
import { sampleStack } from "../browser/sample-stack.ts";

it("continues if a response of the gateway breaks off, and reports that none came", async () => {
  const gateway = createServer(({ socket }) => {
    socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nno chunk");
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const terminalsUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/terminals`;
  const reference = await startReference({ port: 0, stack: { ...sampleStack, terminalsUrl } });
  try {
    const body = JSON.stringify({ operation: "next-message", fields: {} });
    const answer = await fetch(`${reference.url}try`, { method: "POST", body });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toMatch(/gateway did not respond/);
    expect((await fetch(reference.url)).status).toBe(200);
  } finally {
    await reference.stop();
    gateway.close();
  }
});

describe("a description in Markdown", () => {
  it("is read by sections, with paragraphs, lists and tables", () => {
    const [before, first] = sectionsOf(
      "One\nline.\n\n## Two words\n\n1. a\n   b\n2. c\n\n- d\n\n| e | f |\n|---|---|\n| g | h |",
    );
    expect(before).toEqual({ title: "", slug: "", blocks: [{ kind: "paragraph", text: "One line." }] });
    expect(first).toEqual({
      title: "Two words",
      slug: "two-words",
      blocks: [
        { kind: "list", isOrdered: true, items: ["a    b", "c"] },
        { kind: "list", isOrdered: false, items: ["d"] },
        { kind: "table", head: ["e", "f"], rows: [["g", "h"]] },
      ],
    });
  });

  it("has code, bold text and links to the web; everything else stays text", () => {
    expect(runsOf("a `b **c**` **d** [e](https://f.example/g) [h](javascript:i) **")).toEqual([
      { kind: "text", text: "a " },
      { kind: "code", text: "b **c**" },
      { kind: "text", text: " " },
      { kind: "strong", text: "d" },
      { kind: "text", text: " " },
      { kind: "link", text: "e", href: "https://f.example/g" },
      { kind: "text", text: " " },
      { kind: "text", text: "[h](javascript:i)" },
      { kind: "text", text: " **" },
    ]);
  });
});

describe.each(apiNames)("the page's content for the document of %s", (api) => {
  const document = JSON.parse(readFileSync(new URL(`../../../../docs/openapi/${api}.json`, import.meta.url), "utf8"));
  const entries = apiModel(api, document as OpenApi).groups.flatMap(({ entries }) => entries);

  it("has each operation and each webhook once, with its input and output", () => {
    const ids = endpoints.flatMap(({ contract }) => (contract.api === api ? [contract.name] : []));
    expect(entries.flatMap(({ id, kind }) => (kind === "operation" ? [id] : [])).toSorted()).toEqual(ids.toSorted());
    for (const { successes, summary, description } of entries) {
      expect(successes).not.toEqual([]);
      expect([summary, description]).not.toContain("");
    }
  });

  it("has a title and an example of each problem, and names only the keys of calls", () => {
    for (const { id, kind, keys, problems } of entries) {
      expect([id, keys.length > 0]).toEqual([id, kind === "operation"]);
      for (const { title, code, examples } of problems) expect([title, code, examples[0]?.value]).not.toContain("");
      expect(problems.filter(({ examples }) => examples.length === 0)).toEqual([]);
    }
  });
});

describe("the members of a body", () => {
  const one = (schema: object) =>
    shapeOf(
      { properties: { it: schema }, required: ["it"] },
      { Inner: { properties: { deep: { type: "boolean" } } } },
    )[0]?.fields[0];

  it.each([
    [{ type: "string", maxLength: 64 }, "string", ["at most 64 characters"]],
    [{ type: "string", minLength: 1, maxLength: 64 }, "string", ["1 to 64 characters"]],
    [{ type: "integer", minimum: 30, maximum: 300 }, "integer", ["30 to 300"]],
    [{ type: "number", minimum: 0 }, "number", []],
    [{ type: "number", exclusiveMinimum: 0 }, "number", ["more than 0"]],
    [{ type: "string", enum: ["a", "b"], default: "a" }, "string", ['"a" when left out']],
    [{ type: "string", const: "x" }, '"x"', []],
    [{ type: "string", format: "uuid" }, "UUID", []],
    [{ type: "array", maxItems: 3, items: { type: "string" } }, "list of strings", ["at most 3"]],
    [{ type: "array", items: { $ref: "#/components/schemas/Inner" } }, "list of objects", []],
  ])("describe the allowed values of %j", (schema, type, limits) => {
    expect(one(schema)).toMatchObject({ name: "it", isRequired: true, type, limits });
  });

  it("have the members of objects, and of objects within a list", () => {
    const inner = [{ name: "deep", type: "boolean", isRequired: false }];
    expect(one({ $ref: "#/components/schemas/Inner" })).toMatchObject({ inner });
    expect(one({ type: "array", items: { $ref: "#/components/schemas/Inner" } })).toMatchObject({ inner });
  });

  it("end somewhere, even for an object that contains itself", () => {
    const schemas = { Loop: { properties: { again: { $ref: "#/components/schemas/Loop" } } } };
    expect(JSON.stringify(shapeOf({ $ref: "#/components/schemas/Loop" }, schemas)).length).toBeLessThan(5_000);
  });
});
