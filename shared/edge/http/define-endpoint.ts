import type { HttpHandler } from "@azure/functions";
import type { ProblemCode } from "../../contracts/objects/problem.ts";
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
 * Defines an endpoint: its callers, its contract and its handler. The compiler checks the handler against the contract. Each success must
 * have its body's type. `problems` must name exactly the codes that the handler may return in addition to the implied ones.
 *
 * `Deps` and `Responded` are inferred from the handler. Their defaults apply while another part of the definition is wrong, so that the
 * compiler reports only that part.
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

/** The definition as written, so that its type is inferred in full. It may only have the members of `Definition`. */
type Given<Defined extends Definition> = { readonly [Member in keyof Defined]: Defined[Member] } & {
  readonly [Other in Exclude<keyof Defined, keyof Definition | "handle">]: never;
};

/** The codes that only the handler decides on. `problems` may only name these. */
type OwnCode<Defined extends Definition, Responded> =
  IsInferred<Responded> extends true ? Exclude<RespondedCode<Responded>, ImpliedCode<Defined>> : ProblemCode;

/** The handler's own codes that `problems` does not name. */
type Undocumented<Defined extends Definition, Responded> =
  IsInferred<Responded> extends true
    ? Exclude<
        OwnCode<Defined, Responded>,
        Defined extends { readonly problems: readonly (infer Code)[] } ? Code : never
      >
    : never;

/**
 * False while `Responded` is its default, which has every problem code. No handler can return `internal_error`, because it is not a
 * refusal.
 */
type IsInferred<Responded> = "internal_error" extends RespondedCode<Responded> ? false : true;

/** Accepts a definition that names all of its codes. For any other definition, the compiler's message names the missing code. */
type NamesAll<Missing extends ProblemCode> = {
  readonly [Member in [Missing] extends [never] ? never : "problems"]: `must name ${Missing}`;
};
