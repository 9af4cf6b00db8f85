import { describe, expect, it } from "vitest";
import { aGateway } from "./a-gateway.ts";
import { globalPolicies, policies, policyFolder } from "./policy-folder.ts";

/** Why the gateway does not start with these files. */
async function refusal(files: Record<string, string>): Promise<string> {
  const directory = await policyFolder(files);
  return aGateway({ backendUrl: "http://127.0.0.1:9", directory }).then(
    () => "it started",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

const inbound = (content: string) => ({ "policies/read.xml": policies({ inbound: content }) });
const header = (value: string) => `<set-header name="a"><value>${value}</value></set-header>`;

describe("start-up stops, with file and line, at", () => {
  it.each([
    ["an element that is not understood", "<quota calls='1' />", "<quota> is not understood"],
    ["an attribute that is not understood", "<set-variable name='a' value='b' id='c' />", "<set-variable> with id"],
    ["an attribute that is missing", "<set-variable name='a' />", "<set-variable> lacks value"],
    [
      "a value that is none of the known",
      "<set-header name='a' exists-action='replace' />",
      '"replace" should be one of',
    ],
    ["a number that is none", "<rate-limit calls='many' renewal-period='60' />", '"many" should be a whole number'],
    ["an expression outside the subset", header("@(DateTime.UtcNow)"), "DateTime.UtcNow is outside the subset"],
    ["an expression of the wrong type", header("@(context.RequestId)"), "string is needed here"],
    ["a condition that is a string", '<choose><when condition="@(context.Api.Id)" /></choose>', "bool is needed here"],
    ["a statement block", header("@{ return 1; }"), "statement blocks"],
    ["a named value that is missing", header("{{absent}}"), "the named value absent is not given"],
    ["a fragment that is not there", "<include-fragment fragment-id='x' />", "there is no fragment x"],
    [
      "a schema check of the body",
      "<validate-content unspecified-content-type-action='prevent' max-size='9' size-exceeded-action='prevent'><content /></validate-content>",
      "<content> inside <validate-content>",
    ],
    ["a policy in the wrong section", "<forward-request timeout='1' />", "<forward-request> is not understood"],
    ["a second base", "<base /><base />", "<base /> stands in <inbound> once"],
    ["a base inside a policy", "<choose><when condition='true'><base /></when></choose>", "<base> is not understood"],
    [
      "cors inside a policy",
      "<choose><when condition='true'><cors terminate-unmatched-request='true' /></when></choose>",
      "<cors> stands in its section itself",
    ],
    [
      "a header that Azure keeps to itself",
      "<set-header name='Content-Length'><value>1</value></set-header>",
      "does not let Content-Length be set",
    ],
    [
      "an ampersand that is not escaped",
      `<choose><when condition='@(true && true)' /></choose>`,
      "not well-formed XML",
    ],
    ["an element that is not closed", "<choose>", "not well-formed XML"],
    ["text between policies", "hello", "<inbound> holds text"],
  ])("%s", async (_, content, sentence) => {
    const message = await refusal(inbound(content));
    expect(message).toContain(sentence);
    expect(message).toMatch(/^policies\/read\.xml:\d+: /);
  });

  it("names the very line", async () => {
    expect(await refusal(inbound('<base />\n<set-variable name="a" value="b" />\n<quota />'))).toBe(
      "policies/read.xml:5: <quota> is not understood.",
    );
  });

  it.each([
    [
      "set-body in on-error",
      policies({ "on-error": "<set-body>a</set-body>" }),
      "<set-body> may not stand in <on-error>",
    ],
    [
      "check-header in outbound",
      policies({ outbound: "<check-header />" }),
      "<check-header> may not stand in <outbound>",
    ],
    [
      "two policies in backend",
      policies({ backend: '<base /><forward-request timeout="1" />' }),
      "<backend> holds one",
    ],
    ["another policy in backend", policies({ backend: "<choose />" }), "<choose> in <backend> is not understood"],
    ["a section that is left out", "<policies><inbound /></policies>", "<policies> has each of"],
    ["a section that does not exist", "<policies><inward /></policies>", "<inward> inside <policies>"],
    ["another root", "<fragment />", "<policies> was expected"],
    ["a document type", `<!DOCTYPE policies>${policies()}`, "no document type"],
  ])("%s", async (_, document, sentence) => {
    expect(await refusal({ "policies/read.xml": document })).toContain(sentence);
  });

  it("rate-limit in the global scope, which has no subscriptions", async () => {
    const global = globalPolicies({ inbound: '<rate-limit calls="1" renewal-period="1" />' });
    expect(await refusal({ "global.xml": global })).toContain("<rate-limit> may not stand in the global scope");
  });

  it("base in the global scope, which has none", async () => {
    expect(await refusal({ "global.xml": globalPolicies({ inbound: "<base />" }) })).toContain(
      "global.xml:3: <base />",
    );
  });

  it.each(["<base />", '<include-fragment fragment-id="other" />'])("%s in a fragment", async (content) => {
    const message = await refusal({ "fragments/own.xml": `<fragment>\n${content}</fragment>` });
    expect(message).toMatch(/^fragments\/own\.xml:2: a fragment may not hold/);
  });

  it("a mistake in a fragment, in the fragment's own file", async () => {
    const message = await refusal({
      "fragments/own.xml": "<fragment>\n\n<quota /></fragment>",
      ...inbound('<include-fragment fragment-id="own" />'),
    });
    expect(message).toBe("fragments/own.xml:3: <quota> is not understood.");
  });

  it("a policy file that is missing", async () => {
    const imported = { openapi: "3.0.3", paths: { "/x": { get: { operationId: "x" } } } };
    expect(await refusal({ "openapi/shop.json": JSON.stringify(imported) })).toMatch(/x\.xml/);
  });

  it("a declaration that does not fit", async () => {
    expect(await refusal({ "apis.json": '{"apis":[{"id":"shop"}],"namedValues":[]}' })).toMatch(/apis\.json: .*path/s);
    const nameless = JSON.stringify({ openapi: "3.0.3", paths: { "/x": { get: {} } } });
    expect(await refusal({ "openapi/shop.json": nameless })).toMatch(/shop\.json: .*operationId/s);
  });
});
