import { describe, expect, it } from "vitest";
import { aGateway } from "./a-gateway.ts";
import { globalPolicies, policies, policyFolder } from "./policy-folder.ts";

/** The reason why the gateway does not start with these files. */
async function refusal(files: Record<string, string>): Promise<string> {
  const directory = await policyFolder(files);
  return aGateway({ backendUrl: "http://127.0.0.1:9", directory }).then(
    () => "it started",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

const inbound = (content: string) => ({ "policies/read.xml": policies({ inbound: content }) });
const header = (value: string) => `<set-header name="a"><value>${value}</value></set-header>`;

const limit = "<rate-limit calls='1' renewal-period='1' />";
const limitByKey = (calls: number, seconds: number) =>
  `<rate-limit-by-key calls='${calls}' renewal-period='${seconds}' counter-key='one' />`;
const cors = ({ origin = "https://a.example", method = "GET" } = {}) => `<cors terminate-unmatched-request='false'>
  <allowed-origins><origin>${origin}</origin></allowed-origins><allowed-methods><method>${method}</method></allowed-methods>
  <allowed-headers><header>a</header></allowed-headers><expose-headers><header>a</header></expose-headers></cors>`;

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
    ["CDATA between policies", "<![CDATA[hello]]>", "<inbound> holds text"],
    ["a processing instruction", "<?php hello ?>", "<inbound> holds something that is no element"],
    [
      "an expression where none is computed",
      "<check-header name='@(context.Api.Id)' failed-check-httpcode='401' failed-check-error-message='No.' ignore-case='true' />",
      "<check-header> with an expression as name",
    ],
    [
      "an expression as a reason phrase",
      "<return-response><set-status code='200' reason='@(context.Api.Id)' /></return-response>",
      "<set-status> with an expression as reason",
    ],
    [
      "an expression after a space as a header's name",
      "<set-header name=' @(context.Api.Id)'><value>a</value></set-header>",
      "is no name of a header",
    ],
    ["a retry that waits", "<retry condition='false' count='1' interval='1' />", '"1" should be one of: 0'],
    ["more retries than Azure makes", "<retry condition='false' count='51' interval='0' />", "from 1 to 50"],
    [
      "another query of headers",
      header(`@(context.Request.Headers.Select(header => header.Key).FirstOrDefault())`),
      "cannot read the expression from",
    ],
    ["a header's name that is none", "<set-header name='a b'><value>a</value></set-header>", "is no name of a header"],
    [
      "a reason phrase that is none",
      "<return-response><set-status code='200' reason='\u20ac' /></return-response>",
      "is no reason phrase",
    ],
    ["a parameter that the template lacks", "<rewrite-uri template='/v2/{other}/x' />", "{other} is no parameter"],
    ["a second limit", `${limit}${limit}`, "<rate-limit> stands in a section once"],
    [
      "limits of one key with other numbers",
      `${limitByKey(2, 60)}${limitByKey(3, 60)}`,
      "<rate-limit-by-key> by this key has 2 calls in 60 s elsewhere, and 3 calls in 60 s here",
    ],
    ["a second cors", `${cors()}${cors()}`, "<cors> stands in a section once"],
    ["an origin with a path", cors({ origin: "https://a.example/b" }), '<origin> of "https://a.example/b"'],
    ["any method", cors({ method: "*" }), '<method> of "*"'],
    ["an origin that is computed", cors({ origin: "@(context.Api.Id)" }), "<origin> with an expression"],
    [
      "a variable that is stored again",
      `<set-variable name="a" value='@(context.Variables["b"])' />`,
      "cannot be stored",
    ],
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

  it("a fragment that nothing includes", async () => {
    const message = await refusal({ "fragments/own.xml": "<fragment><quota /></fragment>" });
    expect(message).toBe("fragments/own.xml:1: nothing includes it.");
  });

  it.each([
    ["of an expression", header('@("{{key}}")'), 'se"cret'],
    ["of a number", "<rate-limit calls='{{key}}' renewal-period='1' />", "secret"],
    ["of a choice", "<set-header name='a' exists-action='{{key}}' />", "secret"],
  ])("a secret that breaks its place, %s, and tells its name alone", async (_, content, key) => {
    const directory = await policyFolder({
      "apis.json": JSON.stringify({
        apis: [{ id: "shop", path: "shop", subscriptionRequired: true }],
        namedValues: [
          { name: "key", secret: true },
          { name: "functions-url", secret: false },
        ],
      }),
      ...inbound(content),
    });
    const started = aGateway({ backendUrl: "http://127.0.0.1:9", directory, namedValues: { key } });
    await expect(started).rejects.toThrow(/^policies\/read\.xml:3: not understood with the value of the secret key\.$/);
  });

  it("a policy file that is missing", async () => {
    const imported = { openapi: "3.0.3", paths: { "/x": { get: { operationId: "x" } } } };
    expect(await refusal({ "openapi/shop.json": JSON.stringify(imported) })).toMatch(/x\.xml/);
  });

  it("a declaration that does not fit", async () => {
    expect(await refusal({ "apis.json": '{"apis":[{"id":"shop"}],"namedValues":[]}' })).toMatch(/apis\.json: .*path/s);
    const shop = { id: "shop", path: "shop", subscriptionRequired: false };
    const twice = JSON.stringify({ apis: [shop, { ...shop, id: "other", path: "Shop" }], namedValues: [] });
    expect(await refusal({ "apis.json": twice })).toMatch(/apis\.json: .*two APIs have one path/s);
    const nameless = JSON.stringify({ openapi: "3.0.3", paths: { "/x": { get: {} } } });
    expect(await refusal({ "openapi/shop.json": nameless })).toMatch(/shop\.json: .*operationId/s);
  });
});
