import type * as z from "zod";
import type { Auth } from "../auth/authenticate.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Definition, Parameters, RequestBody } from "./contract.ts";

/** An authorized call, after everything that it sent was read. */
export interface Call<Who = unknown, Body = unknown, Read = unknown> extends CallContext {
  readonly requestId: string;
  readonly caller: Who;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  /** The query, the headers, and the path's names that are not identifiers, by their names. */
  readonly parameters: Read;
}

/** The caller of an endpoint, as its authentication proves it. */
export type CallerOf<Defined extends Definition> = Defined["auth"] extends Auth<infer Who> ? Who : never;

/** The body as the endpoint's handler gets it. */
export type BodyOf<Defined extends Definition> = Defined extends { readonly body: RequestBody<infer Read> }
  ? Read
  : undefined;

/** The parameters as the endpoint's handler gets them. */
export type ParametersOf<Defined extends Definition> = Defined extends { readonly parameters: infer Read }
  ? ReadThrough<Read, "path"> & ReadThrough<Read, "query"> & ReadThrough<Read, "header">
  : {};

type ReadThrough<Read, Where extends keyof Parameters> = Read extends { readonly [W in Where]: z.ZodType<infer Values> }
  ? Values
  : unknown;
