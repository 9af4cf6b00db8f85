import type { HttpHandler } from "@azure/functions";
import type { AnswerTo } from "./answer.ts";
import type { BodyOf, Call, CallerOf, ParametersOf } from "./call.ts";
import { contractOf, type Contract, type Definition } from "./contract.ts";
import { requestHandler, type Handle, type HttpDeps } from "./handle-request.ts";

/** An endpoint: a contract to publish, and a handler to register once it is given what it needs. */
export interface Endpoint<Deps, Defined extends Definition = Definition> {
  readonly contract: Contract<Defined>;
  readonly handler: (deps: Deps & HttpDeps) => HttpHandler;
}

/**
 * Defines an endpoint: who may call it, what it promises, and how it keeps that. The compiler holds its handler to what it promises: each
 * success has its body's type. `Deps` is inferred from the handler; its default holds while something else in the definition is wrong, so
 * that the compiler reports that alone.
 */
export function defineEndpoint<const Defined extends Definition, Deps = never>(
  endpoint: Given<Defined> & {
    readonly handle: (
      deps: Deps,
      call: Call<CallerOf<Defined>, BodyOf<Defined>, ParametersOf<Defined>>,
    ) => Promise<AnswerTo<Defined["successes"]>>;
  },
): Endpoint<Deps, Defined> {
  const { handle, ...definition } = endpoint;
  return {
    contract: contractOf(definition) as Contract<Defined>,
    handler: requestHandler(definition, handle as Handle<Deps>),
  };
}

/** The definition as it is written, so that it is inferred whole; it has no member but those of `Definition`. */
type Given<Defined extends Definition> = { readonly [Member in keyof Defined]: Defined[Member] } & {
  readonly [Other in Exclude<keyof Defined, keyof Definition | "handle">]: never;
};
