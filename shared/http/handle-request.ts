import type { HttpHandler, HttpRequest, InvocationContext } from "@azure/functions";
import type { AuthDeps } from "../auth/authenticate.ts";
import type { Problem } from "../contracts/objects/problem.ts";
import { isIdentifier } from "../domain/identifier.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { CallContext, NewId } from "../ports/clock.ts";
import { Conflict, Unavailable } from "../ports/failures.ts";
import { toHttpResponse, type EndpointResponse } from "./response.ts";
import type { Call } from "./call.ts";
import type { Definition } from "./contract.ts";
import { readBody, refuseBody } from "./read-body.ts";
import { parametersReader } from "./read-parameters.ts";
import { traceparentOf } from "./trace-context.ts";

/** What every endpoint needs before its handler runs. */
export interface HttpDeps extends AuthDeps {
  readonly newId: NewId;
  /** How long tables and queues may take in all. After that the caller gets 503. */
  readonly responseTimeoutMs: number;
}

/** An endpoint's handler, for any content of its call. */
export type Handle<Deps> = (deps: Deps, call: Call) => Promise<EndpointResponse>;

/** Runs a request through its endpoint: authorizes it, has it handled, and always returns a response. */
export function requestHandler<Deps>(
  definition: Definition,
  handle: Handle<Deps>,
): (deps: Deps & HttpDeps) => HttpHandler {
  const authorizeAndRead = callReader(definition);
  return (deps) => async (request, context) => {
    const { clock, newId } = deps;
    const requestId = requestIdOf(request) ?? newId();
    const received = { requestId, path: new URL(request.url).pathname, accept: request.headers.get("accept") };
    const traceparent = traceparentOf(request.headers.get("traceparent"), newId);
    const responding = async (): Promise<EndpointResponse> => {
      const call = await authorizeAndRead(request, deps, { now: clock.now, newId, traceparent, requestId });
      return call.ok ? handle(deps, call.value) : { problem: call.error };
    };
    try {
      return toHttpResponse(await (definition.waits ? responding() : withTimeout(responding(), deps)), received);
    } catch (error) {
      return toHttpResponse({ problem: failure(error, requestId, context) }, received);
    }
  };
}

/** Reads a call from a request: the caller first, and what the request sent only where the caller may send it. */
function callReader({ auth, parameters, notFound, body }: Definition) {
  const readParameters = parametersReader(parameters ?? {});
  return async (
    request: HttpRequest,
    deps: HttpDeps,
    context: CallContext & Pick<Call, "requestId">,
  ): Promise<Result<Call, Problem>> => {
    const caller = await auth.authenticate(request, deps);
    if (!caller.ok) return caller;
    const { params } = request;
    if (notFound && !Object.values(params).every(isIdentifier)) return refuse({ code: notFound });
    const parameters = readParameters(request);
    if (!parameters.ok) return parameters;
    const sent = body ? await readBody(request, body.schema) : refuseBody(request);
    if (!sent.ok) return sent;
    return ok({ ...context, caller: caller.value, params, parameters: parameters.value, body: sent.value });
  };
}

/**
 * The problem of an error: 503 for trouble of a dependency, which is worth another try, and 500 for an error in the platform itself, which
 * only the log shows. The log names the request by the identifier in the response.
 */
function failure(error: unknown, requestId: string, context: InvocationContext): Problem {
  if (error instanceof Unavailable || error instanceof Conflict) {
    context.warn(`request ${requestId}: ${error.name}: ${error.message}`);
    return { code: "dependency_unavailable" };
  }
  context.error(`request ${requestId}:`, error);
  return { code: "internal_error" };
}

/** Rejects with `Unavailable` after the time-out. The work under way goes on; a repeated request finds out whether it happened. */
function withTimeout(
  responding: Promise<EndpointResponse>,
  { responseTimeoutMs: ms }: HttpDeps,
): Promise<EndpointResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<EndpointResponse>();
  const timer = setTimeout(() => reject(new Unavailable(`no response within ${ms} ms`)), ms);
  responding.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** The gateway's own identifier of the request, where it sent one. */
function requestIdOf(request: HttpRequest): string | undefined {
  const sent = request.headers.get("x-request-id");
  return sent !== null && /^[\w.-]{8,64}$/.test(sent) ? sent : undefined;
}
