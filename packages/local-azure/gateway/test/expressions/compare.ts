import { headerOf, type Call, type Type, type Value } from "../../call.ts";
import { EvaluationError, type Compiled } from "../../expressions/compiled.ts";
import { compileExpression } from "../../expressions/compiler.ts";
import { ExpressionFault } from "../../expressions/tokens.ts";
import type { DrawnContext, InCsharp, Ran } from "../csharp.ts";

/** The gateway's types, by their .NET names. */
const types: Readonly<Record<string, Type>> = {
  String: "string",
  Int32: "int",
  Boolean: "bool",
  Guid: "guid",
  Object: "object",
  null: "null",
};

/** The drawn context as a call of the gateway. */
export function toCall(drawn: DrawnContext): Call {
  const headers = (of: DrawnContext["headers"]) =>
    new Map(Object.entries(of).map(([name, values]) => [name.toLowerCase(), headerOf(name.toLowerCase(), values)]));
  const query = new URLSearchParams(
    Object.entries(drawn.query).flatMap(([name, values]) => values.map((v): [string, string] => [name, v])),
  );
  const { status, lastError, apiId, operationId } = drawn;
  return {
    requestId: drawn.requestId,
    request: {
      method: drawn.method,
      path: drawn.path,
      query: query.toString(),
      headers: headers(drawn.headers),
      ipAddress: drawn.ipAddress,
      body: undefined,
      hasBody: false,
      content: () => undefined,
      read: async () => new Uint8Array(),
    },
    operation: apiId === null || operationId === null ? undefined : { apiId, id: operationId, contentType: undefined },
    parameters: new Map(Object.entries(drawn.parameters)),
    subscriptionId: drawn.subscriptionId ?? undefined,
    variables: new Map(
      Object.entries(drawn.variables).map(([name, { type, value }]) => [name, { type: type as Type, value }]),
    ),
    backend: { baseUrl: undefined, path: "", query: "" },
    answer:
      status === null ? undefined : { status, reason: "", headers: headers(drawn.responseHeaders), body: undefined },
    lastError: lastError ? { source: lastError[0], reason: lastError[1] } : undefined,
    atEnd: [],
    cors: new Map(),
  };
}

/** Undefined if the gateway rejects it. */
function compiled(source: string): Compiled | undefined {
  try {
    return compileExpression(source);
  } catch (error) {
    if (error instanceof ExpressionFault) return undefined;
    throw error;
  }
}

/** Undefined if it fails. */
function evaluated(expression: Compiled, call: Call): Value | undefined {
  try {
    return expression.read(call);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

const valueOf = (ran: Ran | undefined): Value | undefined => (ran && "value" in ran ? ran.value : undefined);

const shown = (value: Value | undefined) => (value === undefined ? "fails" : JSON.stringify(value));

/** The comparison of one expression, here and in C#. */
export interface Compared {
  readonly outcome: "bothRan" | "refusedHere" | "refusedByBoth" | "differ";
  readonly evaluations: number;
  readonly failedInBoth: number;
  readonly differences: readonly string[];
}

const refused = (outcome: Compared["outcome"], differences: readonly string[] = []): Compared => ({
  outcome,
  evaluations: 0,
  failedInBoth: 0,
  differences,
});

/** Compares an expression in its contexts. The gateway may reject an expression that C# compiles. Everything else must agree. */
export function compared(source: string, calls: readonly Call[], csharp: InCsharp | null): Compared {
  const here = compiled(source);
  if (!here) return refused(csharp ? "refusedHere" : "refusedByBoth");
  if (!csharp) return refused("differ", ["C# refuses it"]);
  if (types[csharp.type] !== here.type)
    return refused("differ", [`its type is ${csharp.type} in C#, ${here.type} here`]);
  const pairs = calls.map((call, n) => [evaluated(here, call), valueOf(csharp.results[n])] as const);
  const differences = pairs
    .filter(([ours, theirs]) => ours !== theirs)
    .map(([ours, theirs]) => `${shown(theirs)} in C#, ${shown(ours)} here`);
  return {
    outcome: differences.length === 0 ? "bothRan" : "differ",
    evaluations: pairs.length,
    failedInBoth: pairs.filter(([ours, theirs]) => ours === undefined && theirs === undefined).length,
    differences,
  };
}
