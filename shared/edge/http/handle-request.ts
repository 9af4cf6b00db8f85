import type { HttpHandler, HttpRequest } from "@azure/functions";
import type { ApiName, AuthDeps } from "../auth/authenticate.ts";
import { problems, type Problem } from "../../contracts/objects/problem.ts";
import { isIdentifier } from "../../domain/identifier.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { msBetween } from "../../domain/time.ts";
import type { CallContext, NewId } from "../../ports/clock.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import type { ReadUntil } from "../../ports/read-until.ts";
import { traceOf, type LineOf, type Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";
import { apiPaths } from "./api-paths.ts";
import { noContent, toHttpResponse, type EndpointResponse, type ReceivedRequest } from "./response.ts";
import type { Call } from "./call.ts";
import { checksQuery, type Definition } from "./contract.ts";
import { namesOfCall, namesOfCaller, proofOf } from "./names-of-call.ts";
import { prefersStrict } from "./preferences.ts";
import { readBody, refuseBody } from "./read-body.ts";
import { parametersReader } from "./read-parameters.ts";
import { traceparentOf } from "./trace-context.ts";

/** The dependencies of every endpoint before its handler runs. */
export interface HttpDeps extends AuthDeps {
  readonly newId: NewId;
  readonly log: Log;
  /** The time that tables and queues may take in total. After that, the caller gets 503. */
  readonly responseTimeoutMs: number;
  readonly readUntil: ReadUntil;
  /** The base address of the problem pages, one page for each code. Absent if the pages are not published. */
  readonly problemPagesUrl?: string | undefined;
}

/** An endpoint's handler, for calls of any type. */
export type Handle<Deps> = (deps: Deps, call: Call) => Promise<EndpointResponse>;

/** Runs a request through its endpoint: authorizes it, passes it to the handler, and logs it. It always returns a response. */
export function requestHandler<Deps>(
  definition: Definition,
  handle: Handle<Deps>,
): (deps: Deps & HttpDeps) => HttpHandler {
  const authorizeAndRead = callReader(definition);
  return (deps) => async (request, context) => {
    const { clock, newId, log } = deps;
    const began = clock.now();
    const requestId = requestIdOf(request) ?? newId();
    const received = receivedAs(request, requestId, { api: definition.auth.api, pagesUrl: deps.problemPagesUrl });
    const traceparent = traceparentOf(request.headers.get("traceparent"), newId);
    const responded = new AbortController();
    const responding = async (): Promise<EndpointResponse> => {
      const call = await authorizeAndRead(request, deps, { now: clock.now, newId, traceparent, requestId });
      if (!call.ok) return { problem: call.error };
      const handled = () => handle(deps, call.value);
      return definition.isRead ? deps.readUntil(responded.signal, handled) : handled();
    };
    const names = { requestID: requestId, trace: traceOf(traceparent), function: definition.name };
    return log.within(names, context, async () => {
      const response = await (definition.waitsSeconds ? responding() : withTimeout(responding(), deps)).catch(
        (error: unknown): EndpointResponse => ({ problem: failure(error, log) }),
      );
      responded.abort();
      if (!isEmptyPoll(definition, response))
        log.write("request", { ...summaryOf(response), ms: msBetween(began, clock.now()) });
      return toHttpResponse(response, received);
    });
  };
}

/** An empty long poll is not logged. There is one each minute from each terminal. */
const isEmptyPoll = ({ waitsSeconds }: Definition, response: EndpointResponse): boolean =>
  waitsSeconds !== undefined && "status" in response && response.status === noContent.status;

const summaryOf = (response: EndpointResponse): LineOf<"request"> =>
  "problem" in response
    ? { status: problems[response.problem.code].status, code: response.problem.code }
    : { status: response.status };

/** Reads a call from a request. The caller is authenticated first. The rest is read only if the caller is accepted. */
function callReader(definition: Definition) {
  const { auth, parameters, notFound, body } = definition;
  const readParameters = parametersReader(parameters ?? {}, checksQuery(definition));
  return async (
    request: HttpRequest,
    deps: HttpDeps,
    context: CallContext & Pick<Call, "requestId">,
  ): Promise<Result<Call, Problem>> => {
    const caller = await auth.authenticate(request, deps);
    if (!caller.ok) {
      deps.log.note(caller.error.log);
      return refuse(caller.error.problem);
    }
    deps.log.note(namesOfCaller(caller.value));
    const { params } = request;
    const identifiers = Object.entries(params).filter(([name]) => parameters?.path?.shape[name] === undefined);
    if (notFound && !identifiers.every(([, value]) => isIdentifier(value))) return refuse({ code: notFound });
    const read = readParameters(request);
    if (!read.ok) return read;
    const isStrict = auth.api !== "terminals" && prefersStrict(request.headers.get("prefer"));
    const sent = body ? await readBody(request, body, isStrict) : refuseBody(request);
    if (!sent.ok) return sent;
    deps.log.note(namesOfCall(params, sent.value));
    const proof = proofOf(caller.value);
    return ok({ ...context, ...proof, caller: caller.value, params, parameters: read.value, body: sent.value });
  };
}

/**
 * Returns the problem for an error. A failed dependency is 503, which the caller may retry. An error in the platform itself is 500. Only
 * the log shows that error, in a line with the response's request identifier.
 */
function failure(error: unknown, log: Log): Problem {
  if (error instanceof Unavailable || error instanceof Conflict) {
    if (error instanceof Unavailable && error.isVersionAhead) log.write("versionAhead", loggedError(error));
    else log.write("dependencyUnavailable", { ...loggedError(error), reason: reasonOf(error) });
    return { code: "dependency_unavailable" };
  }
  log.write("requestFailed", loggedError(error));
  return { code: "internal_error" };
}

const reasonOf = (error: Unavailable | Conflict): string =>
  error instanceof Unavailable && !(error.cause instanceof Conflict) ? error.dependency : "conflict";

/**
 * Rejects with `Unavailable` after the time-out. The running work continues, unless it is a read. A repeated request shows whether it
 * succeeded.
 */
function withTimeout(
  responding: Promise<EndpointResponse>,
  { responseTimeoutMs: ms }: HttpDeps,
): Promise<EndpointResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<EndpointResponse>();
  const timer = setTimeout(() => reject(new Unavailable(`no response within ${ms} ms`)), ms);
  responding.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** The parts of a request that its response repeats. */
export const receivedAs = (
  request: HttpRequest,
  requestId: string,
  { api, pagesUrl }: Pick<ReceivedRequest, "pagesUrl"> & { readonly api: ApiName },
): ReceivedRequest => ({
  requestId,
  path: `${apiPaths[api]}${new URL(request.url).pathname}`,
  accept: request.headers.get("accept"),
  pagesUrl,
});

/** The gateway's own identifier of the request. Undefined if the gateway sent none. */
export function requestIdOf(request: HttpRequest): string | undefined {
  const sent = request.headers.get("x-request-id");
  return sent !== null && /^[\w.-]{8,64}$/.test(sent) ? sent : undefined;
}
