import { describe, expect, it } from "vitest";
import type { Variable } from "../../call.ts";
import { EvaluationError } from "../../expressions/compiled.ts";
import { compileExpression } from "../../expressions/compiler.ts";
import { ExpressionFault } from "../../expressions/tokens.ts";
import { aCall } from "./a-call.ts";

const evaluate = (source: string, call = aCall()) => compileExpression(source).read(call);

/** A call with a variable of each kind. */
const variables = new Map<string, Variable>([
  ["text", { type: "string", value: "seven" }],
  ["count", { type: "int", value: 7 }],
  ["flag", { type: "bool", value: true }],
  ["id", { type: "guid", value: "4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c11" }],
  ["null", { type: "null", value: null }],
]);
const withVariables = (source: string) => evaluate(source, aCall({ variables }));
const NO_NAME = 'context.Request.Headers.GetValueOrDefault("absent")';

describe("an expression", () => {
  it.each([
    ['"text"', "text"],
    [String.raw`"a \"quoted\" \\ word"`, String.raw`a "quoted" \ word`],
    ["true", true],
    ["context.Response.StatusCode", 202],
    ["context.Operation.Id", "pos-payment-request"],
    ["context.Subscription.Id", "acme"],
    ["context.Request.Method", "POST"],
    ["context.Request.OriginalUrl.Path", "/pos-payment-request"],
  ])("reads %s", (source, expected) => {
    expect(evaluate(source)).toBe(expected);
  });

  it.each([
    ['context.Request.Headers.GetValueOrDefault("X-Name", "none")', "value"],
    ['context.Request.Headers.GetValueOrDefault("absent", "none")', "none"],
    ['context.Request.Headers.GetValueOrDefault("absent") ?? "none"', "none"],
    ['context.Request.Headers.GetValueOrDefault("a") ?? context.Request.Headers.GetValueOrDefault("b") ?? "c"', "c"],
    ['context.Request.Url.Query.GetValueOrDefault("a", "")', "1,3"],
    ['context.Request.MatchedParameters.GetValueOrDefault("session_id", "")', "s1"],
    ['context.Variables.GetValueOrDefault("absent", 7)', 7],
  ])("looks up %s", (source, expected) => {
    expect(evaluate(source)).toBe(expected);
  });

  it.each([
    ['"status " + context.Response.StatusCode', "status 202"],
    ['"id " + context.RequestId', "id 4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c11"],
    ['"" + true', "True"],
    ['"null is nothing: " + context.Request.Headers.GetValueOrDefault("absent")', "null is nothing: "],
    [
      'context.RequestId.ToString() + "." + context.Response.StatusCode.ToString()',
      "4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c11.202",
    ],
    ["JsonConvert.SerializeObject(context.Request.OriginalUrl.Path)", '"/pos-payment-request"'],
  ])("concatenates as .NET does: %s", (source, expected) => {
    expect(evaluate(source)).toBe(expected);
  });

  it.each([
    ["context.Response.StatusCode == 202", true],
    ["context.Response.StatusCode != 202", false],
    ["context.Response.StatusCode >= 200 && context.Response.StatusCode < 300", true],
    ["!(context.Response.StatusCode > 400)", true],
    ['context.Request.Method == "post"', false],
    ['context.Request.Headers.GetValueOrDefault("absent") == null', true],
    ["false && true || true", true],
    ["true || false && false", true],
    ["!false && false", false],
    ['"a" + "b" == "ab"', true],
    ['context.Request.Headers.GetValueOrDefault("x-name", "").Contains("alu")', true],
  ])("decides %s", (source, expected) => {
    expect(evaluate(source)).toBe(expected);
  });

  it("quotes what a caller wrote, so that it cannot leave its place in a JSON body", () => {
    const call = aCall();
    const hostile = { ...call, request: { ...call.request, path: '/x","status":200,"y":"\\' } };
    const body = evaluate(
      '"{\\"instance\\":" + JsonConvert.SerializeObject(context.Request.OriginalUrl.Path) + "}"',
      hostile,
    );
    expect(JSON.parse(String(body))).toEqual({ instance: hostile.request.path });
  });

  it("does not evaluate the right side of && and || when the left decides", () => {
    const unanswered = aCall({ answer: undefined });
    expect(evaluate("false && context.Response.StatusCode == 200", unanswered)).toBe(false);
    expect(evaluate("true || context.Response.StatusCode == 200", unanswered)).toBe(true);
  });

  it.each(["context.LastError.Reason", 'context.Response.Headers.GetValueOrDefault("a", "")'])(
    "fails where C# meets a null reference: %s",
    (source) => {
      const read = () => evaluate(source, aCall({ answer: undefined }));
      expect(read).toThrow(EvaluationError);
    },
  );

  it.each([
    ['context.Variables.GetValueOrDefault("text", "")', "seven"],
    ['context.Variables.GetValueOrDefault("count", 0)', 7],
    ['context.Variables.GetValueOrDefault("flag", false)', true],
    ['context.Variables.GetValueOrDefault("id", context.RequestId)', "4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c11"],
    ['context.Variables.GetValueOrDefault("null", "none") ?? "null"', "null"],
    ['context.Variables.ContainsKey("count")', true],
    ['context.Variables.ContainsKey("absent")', false],
    ['Convert.ToString(context.Variables["count"])', "7"],
    ['Convert.ToString(context.Variables["flag"])', "True"],
    ['Convert.ToString(context.Variables["text"])', "seven"],
    ['Convert.ToString(context.Variables["null"])', ""],
    [`Convert.ToString(${NO_NAME}) == null`, true],
    ['"in " + context.Variables["count"]', "in 7"],
    ['Convert.ToInt32(" -65536\t")', -65_536],
    [`Convert.ToInt32(${NO_NAME})`, 0],
    ['System.Text.Encoding.UTF8.GetByteCount("a\u00e4\u20ac\ud83d\ude00")', 10],
  ])("reads a variable as it was stored: %s", (source, expected) => {
    expect(withVariables(source)).toBe(expected);
  });

  it.each([
    ["of another type than its default", 'context.Variables.GetValueOrDefault("text", 7)'],
    ["that is an identifier, as text", 'context.Variables.GetValueOrDefault("id", "")'],
    ["that is null, as a number", 'context.Variables.GetValueOrDefault("null", 7) > 0'],
    ["that is null, as true or false", '!context.Variables.GetValueOrDefault("null", true)'],
    ["that is not there", 'Convert.ToString(context.Variables["absent"])'],
    ["that is no integer", 'Convert.ToInt32(context.Variables.GetValueOrDefault("text", ""))'],
    ["that is no integer of 32 bits", 'Convert.ToInt32("2147483648")'],
    ["that is null, for its bytes", `System.Text.Encoding.UTF8.GetByteCount(${NO_NAME})`],
    ["without a name", `context.Variables.GetValueOrDefault(${NO_NAME}, "")`],
    ["without a name to look for", `context.Variables.ContainsKey(${NO_NAME})`],
  ])("fails where it reads a variable %s", (_, source) => {
    expect(() => withVariables(source)).toThrow(EvaluationError);
  });

  it("fails where a header's name is null", () => {
    expect(() => evaluate(`context.Request.Headers.GetValueOrDefault(${NO_NAME}, "a")`)).toThrow(EvaluationError);
  });

  it("evaluates a default also where it is not needed", () => {
    const source = 'context.Request.Headers.GetValueOrDefault("x-name", context.Subscription.Id)';
    expect(evaluate(source)).toBe("value");
    expect(() => evaluate(source, aCall({ subscriptionId: undefined }))).toThrow(EvaluationError);
  });

  it("escapes in JSON what Newtonsoft escapes", () => {
    const headers = new Map([["x", '\u0085\u2028\u2029\u007f/\u001f"\t']]);
    const call = aCall();
    const text = 'JsonConvert.SerializeObject(context.Request.Headers.GetValueOrDefault("x", ""))';
    expect(evaluate(text, { ...call, request: { ...call.request, headers } })).toBe(
      String.raw`"\u0085\u2028\u2029` + "\u007f" + String.raw`/\u001f\"\t"`,
    );
  });

  it("takes C#'s white space for white space", () => {
    expect(evaluate("\u00a0true\u0085&&\u2028true\u3000")).toBe(true);
  });

  it.each([
    ["new Random(0).Next(0, 2147483647)", 1_559_595_546],
    ["new Random(42).Next(1, 11)", 7],
    ['new Random(Convert.ToInt32("-2147483648")).Next(0, 1000)', 726],
    ["context.RequestId.GetHashCode()", -1_732_184_310],
  ])("draws the number that .NET draws: %s", (source, expected) => {
    expect(evaluate(source)).toBe(expected);
  });

  it("takes the largest number of its type", () => {
    expect(evaluate("2147483647 > context.Response.StatusCode")).toBe(true);
  });
});

describe("outside the subset, and refused before any request comes, is", () => {
  it.each([
    ["a message that must not be shown", "context.LastError.Message"],
    ["an unknown property", "context.Request.Body"],
    ["an unknown name", "DateTime.UtcNow"],
    ["an unknown method", 'context.Request.Method.StartsWith("P")'],
    ["an index of anything but the variables", 'context.Request.Headers["a"]'],
    ["an index without a name", "context.Variables[]"],
    ["an index that is not closed", 'context.Variables["a"'],
    ["a cast", '(string)context.Variables.GetValueOrDefault("a", "")'],
    ["a generic call", 'context.Variables.GetValueOrDefault<bool>("a")'],
    ["a variable without a default", 'context.Variables.GetValueOrDefault("a")'],
    ["a conditional", 'true ? "a" : "b"'],
    ["an interpolated string", '$"a{context.RequestId}"'],
    ["an unfinished string", '"a'],
    ["a string over two lines", '"a\nb"'],
    ["a string over two lines of Unicode", '"a\u2028b"'],
    ["a mark of byte order", "\ufefftrue"],
    ["a number beyond int", "2147483648 == 2147483648"],
    ["a number beyond long", "99999999999999999999 == 1"],
    ["an escape that C# may read otherwise", String.raw`"a\u0041"`],
    ["an optional access", "context.Subscription?.Id"],
    ["a property of a call's result", 'context.Request.Headers.GetValueOrDefault("a", "").Length'],
    ["arithmetic", "1 + 2"],
    ["a fraction", "1.5 == 1.5"],
    ["another object", "new Guid(1).ToString()"],
    ["a random number without a seed", "new Random().Next(1, 3)"],
    ["a random number below its least", "new Random(1).Next(3, 1)"],
    ["a generator alone", "new Random(1)"],
    ["two expressions", "true false"],
    ["an unfinished expression", "true &&"],
    ["an open parenthesis", "(true"],
    ["nothing", ""],
  ])("%s", (_, source) => {
    expect(() => compileExpression(source)).toThrow(ExpressionFault);
  });

  it.each([
    ["a string compared with a number", 'context.Response.StatusCode == "200"'],
    ["an identifier compared with a string", 'context.RequestId == "a"'],
    ["a string used as a condition", "context.Request.Method && true"],
    ["the opposite of a string", "!context.Request.Method"],
    ["strings ordered by <", '"a" < "b"'],
    ["a variable compared with a number", 'context.Variables["a"] == 1'],
    ["null, converted", "Convert.ToString(null)"],
    ["a number with ??", "context.Response.StatusCode ?? 1"],
    ["a number as a header's default", 'context.Request.Headers.GetValueOrDefault("a", 1)'],
  ])("%s, which C# does not compile", (_, source) => {
    expect(() => compileExpression(source)).toThrow(ExpressionFault);
  });
});
