import { beforeAll, describe, expect, it } from "vitest";
import { buildCsharp, dotnetIsPresent, judge, type Judged } from "../../packages/local-azure/gateway/test/csharp.ts";
import { skippedIf } from "../support/skipped.ts";
import { expressionsIn, policyExpressions } from "../integration/gateway/policy-expressions.ts";

const because = skippedIf(!dotnetIsPresent, "there is no dotnet on this machine");

/** Expressions with one error each, and C#'s message about it. */
const bad: readonly (readonly [string, Judged, RegExp])[] = [
  [
    "a member that is not documented",
    { source: "@(context.Request.Hdrs)", type: "object" },
    /does not contain a definition/,
  ],
  [
    "an identifier where text is wanted",
    { source: "@(context.RequestId)", type: "string" },
    /Cannot implicitly convert/,
  ],
  ["text where a condition is wanted", { source: "@(context.Api.Id)", type: "bool" }, /Cannot implicitly convert/],
  [
    "a method of another type",
    { source: "@(context.Response.StatusCode.Contains(4))", type: "bool" },
    /does not contain/,
  ],
  [
    "text compared with a number",
    { source: '@(context.Response.StatusCode == "401")', type: "bool" },
    /cannot be applied/,
  ],
  ["a variable without a default", { source: '@(context.Variables.GetValueOrDefault("a"))', type: "object" }, /./],
  ["a variable that is no text", { source: '@(context.Variables["a"])', type: "string" }, /Cannot implicitly convert/],
  ["a parenthesis that is open", { source: "@((true)", type: "bool" }, /expected/],
  ["more than one expression", { source: '@("a"); } static int b() { return (1)', type: "string" }, /./],
  ["an ampersand that is not escaped", { source: "@(true &amp;&amp; true)", type: "bool" }, /./],
  ["a string over two lines", { source: '@("a\nb")', type: "string" }, /Unexpected token/],
  [
    "a file in a query of headers",
    { source: "@(context.Request.Headers.Any(header => System.IO.File.Exists(header.Key)))", type: "bool" },
    /System.IO.File.Exists is not on/,
  ],
  ["a newer C#", { source: "@(context.Response.StatusCode is 401 or 403)", type: "bool" }, /./],
  ["a write", { source: '@(context.Request.Method = "GET")', type: "string" }, /it is read only/],
  [
    "a file",
    { source: '@(System.IO.File.ReadAllText("/etc/passwd"))', type: "string" },
    /System.IO.File.ReadAllText is not on/,
  ],
  [
    "the environment",
    { source: "@(Environment.MachineName)", type: "string" },
    /System.Environment.MachineName is not on/,
  ],
  [
    "a member that is not allowed",
    { source: "@(DateTime.UtcNow.Kind)", type: "object" },
    /System.DateTime.Kind is not on/,
  ],
  ["a block without a return", { source: '@{ var a = "b"; }', type: "string" }, /not all code paths return/],
];

const good: readonly Judged[] = [
  { source: '@{ var a = "b"; return a; }', type: "string" },
  { source: '@(context.Variables.ContainsKey("a") ? Convert.ToString(context.Variables["a"]) : "60")', type: "string" },
  { source: "@(context.RequestId)", type: "object" },
];

describe.skipIf(!dotnetIsPresent)(`C#${because}`, async () => {
  const expressions = await policyExpressions();
  let complaints: readonly (string | null)[] = [];

  beforeAll(async () => {
    await buildCsharp();
    complaints = await judge([...expressions, ...good, ...bad.map(([, one]) => one)]);
  });

  it("compiles every expression of the policies, with the type that its place requires and only documented members", () => {
    expect(expressions.length).toBeGreaterThan(40);
    const objections = expressions.flatMap(({ place }, i) =>
      complaints[i] === null ? [] : [`${place}: ${complaints[i]}`],
    );
    expect(objections).toEqual([]);
  });

  it("also compiles expressions that the local gateway does not understand", () => {
    expect(complaints.slice(expressions.length, expressions.length + good.length)).toEqual(good.map(() => null));
  });

  it.each(bad)("objects to %s", (...[, one, said]) => {
    expect(complaints[expressions.length + good.length + bad.findIndex(([, other]) => other === one)]).toMatch(said);
  });
});

it("an expression at a place without a known type is reported", () => {
  const attributes = new Map([["reason", "@(context.Api.Id)"]]);
  const element = { file: "a.xml", line: 1, name: "set-status", attributes, children: [], text: "" };
  expect(() => expressionsIn(element)).toThrow("a.xml:1 set-status reason");
});
