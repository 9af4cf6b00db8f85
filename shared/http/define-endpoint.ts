import type { HttpHandler } from "@azure/functions";
import type { ProblemCode } from "../contracts/objects/problem.ts";
import type { RespondedCode, ResponseOf } from "./response.ts";
import type { BodyOf, Call, CallerOf, ParametersOf } from "./call.ts";
import { contractOf, type Contract, type Definition, type ImpliedCode } from "./contract.ts";
import { requestHandler, type Handle, type HttpDeps } from "./handle-request.ts";

/** An endpoint: a contract to publish, and a handler to register with its dependencies. */
export interface Endpoint<Deps, Defined extends Definition = Definition> {
  readonly contract: Contract<Defined>;
  readonly handler: (deps: Deps & HttpDeps) => HttpHandler;
}

/**
 * Defines an endpoint: who may call it, what it promises, and how it is carried out. The compiler holds the handler to the promise: each
 * success has its body's type, and `problems` names exactly what the handler may return in addition to the implied codes.
 *
 * `Deps` and `Responded` are inferred from the handler. Their defaults apply while something else in the definition is wrong, so that the
 * compiler reports that alone.
 */
export function defineEndpoint<
  const Defined extends Definition,
  Deps = never,
  Responded extends ResponseOf<Defined["successes"]> = ResponseOf<Defined["successes"]>,
>(
  endpoint: Given<Defined> & {
    readonly problems?: readonly OwnCode<Defined, Responded>[];
    readonly handle: (
      deps: Deps,
      call: Call<CallerOf<Defined>, BodyOf<Defined>, ParametersOf<Defined>>,
    ) => Promise<Responded>;
  } & NamesAll<Undocumented<Defined, Responded>>,
): Endpoint<Deps, Defined> {
  const { handle, ...definition } = endpoint;
  return {
    contract: contractOf(definition) as Contract<Defined>,
    handler: requestHandler(definition, handle as Handle<Deps>),
  };
}

/** The definition as it is written, so that it is inferred whole. It has only the members of `Definition`. */
type Given<Defined extends Definition> = { readonly [Member in keyof Defined]: Defined[Member] } & {
  readonly [Other in Exclude<keyof Defined, keyof Definition | "handle">]: never;
};

/** The codes that the handler alone decides on. `problems` may name these and no other. */
type OwnCode<Defined extends Definition, Responded> =
  IsInferred<Responded> extends true ? Exclude<RespondedCode<Responded>, ImpliedCode<Defined>> : ProblemCode;

/** The codes that `problems` does not name. */
type Undocumented<Defined extends Definition, Responded> =
  IsInferred<Responded> extends true
    ? Exclude<
        OwnCode<Defined, Responded>,
        Defined extends { readonly problems: readonly (infer Code)[] } ? Code : never
      >
    : never;

/** False while every problem counts as returned: no handler can return `internal_error`, which is no refusal. */
type IsInferred<Responded> = "internal_error" extends RespondedCode<Responded> ? false : true;

/** Accepts every definition that names all of its codes; for another one the compiler's message names the missing code. */
type NamesAll<Missing extends ProblemCode> = {
  readonly [Member in [Missing] extends [never] ? never : "problems"]: `must name ${Missing}`;
};
