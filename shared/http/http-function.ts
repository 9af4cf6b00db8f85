import type { HttpHandler, HttpRequest, InvocationContext } from "@azure/functions";
import type { Problem, ProblemCode } from "../contracts/objects/problem.ts";
import { isIdentifier } from "../domain/identifier.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { CallContext, Clock, NewId } from "../ports/clock.ts";
import { Conflict, Unavailable } from "../ports/failures.ts";
import type { Partners, Scope } from "../ports/partners.ts";
import type { Terminals, TerminalView } from "../ports/terminals.ts";
import type { Caller } from "../use-cases/auth/caller.ts";
import { refusal, toResponse, type Answer, type AnswerTo } from "./answer.ts";
import { authenticatePartner, authenticateTerminal } from "../auth/authenticate.ts";
import type { CheckBasic } from "../auth/basic-credentials.ts";
import {
  allProblems,
  type ApiName,
  type BodyRead,
  type Contract,
  type Parameters,
  type ParametersRead,
  type RequestBody,
  type Successes,
} from "./contract.ts";
import type { Peppers } from "../auth/credentials.ts";
import { readBody } from "./read-body.ts";
import { parametersReader } from "./read-parameters.ts";
import { traceparentOf } from "./trace-context.ts";

/** What every endpoint needs before its handler runs. */
export interface HttpDeps {
  readonly partners: Partners;
  readonly terminals: Terminals;
  readonly peppers: Peppers;
  readonly checkBasic: CheckBasic;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Tables and queues get this long in all, then the caller is answered 503. */
  readonly responseTimeoutMs: number;
}

/** A call that was let in, with all that it sent read. */
export interface Call<Who, Body, Asked extends Parameters> extends CallContext {
  readonly caller: Who;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly parameters: ParametersRead<Asked>;
}

/** An endpoint as it reads: what it promises, and how it keeps that. */
interface Definition<
  Name extends string,
  Deps,
  Who,
  Taken extends RequestBody | undefined,
  Asked extends Parameters,
  Promised extends Successes,
> extends Pick<Contract<Name>, "name" | "method" | "route" | "summary" | "description"> {
  /** Left out by those that read neither query nor headers. */
  readonly parameters?: Asked;
  /** What a name in the path that is no identifier is answered with: as one that does not exist. */
  readonly notFound?: ProblemCode;
  /** Left out by those that take no body. */
  readonly body?: Taken;
  readonly successes: Promised;
  readonly replays?: boolean;
  /** Beside those that any endpoint of its kind has. */
  readonly problems?: readonly ProblemCode[];
  /** Answers when it likes: a long poll. */
  readonly waits?: boolean;
  readonly handle: (deps: Deps, call: Call<Who, BodyRead<Taken>, Asked>) => Promise<AnswerTo<Promised>>;
}

/** An endpoint: a contract to publish, and a handler to register once it is given what it needs. */
export interface HttpFunction<Deps, Held extends Contract = Contract> {
  readonly contract: Held;
  readonly handler: (deps: Deps & HttpDeps) => HttpHandler;
}

/** An endpoint of the Partners API, for keys that have the scope. */
export const partnerFunction = <
  Name extends string,
  Deps,
  const Promised extends Successes,
  Taken extends RequestBody | undefined = undefined,
  Asked extends Parameters = {},
>(
  definition: Definition<Name, Deps, Caller, Taken, Asked, Promised> & { readonly scope: Scope },
): HttpFunction<Deps, Contract<Name, Taken, Promised>> =>
  httpFunction("partners", definition, (request, { partners, peppers, clock }) =>
    authenticatePartner(request, definition.scope, { partners, peppers, now: clock.now() }),
  );

/** An endpoint of the API that terminals speak. */
export const terminalFunction = <
  Name extends string,
  Deps,
  const Promised extends Successes,
  Taken extends RequestBody | undefined = undefined,
  Asked extends Parameters = {},
>(
  definition: Definition<Name, Deps, TerminalView, Taken, Asked, Promised>,
): HttpFunction<Deps, Contract<Name, Taken, Promised>> => httpFunction("terminals", definition, authenticateTerminal);

/** An endpoint of the Consumer Web API. The host has checked its function key; Basic credentials it asks for itself. */
export const consumerFunction = <
  Name extends string,
  Deps,
  const Promised extends Successes,
  Taken extends RequestBody | undefined = undefined,
  Asked extends Parameters = {},
>(
  definition: Definition<Name, Deps, "consumer", Taken, Asked, Promised> & { readonly basic?: boolean },
): HttpFunction<Deps, Contract<Name, Taken, Promised>> =>
  httpFunction("consumer", definition, async (request, { checkBasic }) => {
    const proven = !definition.basic || (await checkBasic(request.headers.get("authorization")));
    return proven ? ok("consumer") : refuse({ code: "invalid_credentials" });
  });

function httpFunction<
  Name extends string,
  Deps,
  Who,
  Taken extends RequestBody | undefined,
  Asked extends Parameters,
  Promised extends Successes,
>(
  api: ApiName,
  definition: Definition<Name, Deps, Who, Taken, Asked, Promised> & Pick<Contract, "scope" | "basic">,
  authenticate: (request: HttpRequest, deps: HttpDeps) => Promise<Result<Who, Problem>>,
): HttpFunction<Deps, Contract<Name, Taken, Promised>> {
  const readParameters = parametersReader(definition.parameters ?? ({} as Asked));
  const authorizeAndRead = async (
    request: HttpRequest,
    deps: Deps & HttpDeps,
    context: CallContext,
  ): Promise<Answer> => {
    const caller = await authenticate(request, deps);
    if (!caller.ok) return refusal(caller.error);
    if (definition.notFound && !Object.values(request.params).every(isIdentifier)) {
      return refusal({ code: definition.notFound });
    }
    const parameters = readParameters(request);
    if (!parameters.ok) return refusal(parameters.error);
    const body = definition.body ? await readBody(request, definition.body.schema) : ok(undefined);
    if (!body.ok) return refusal(body.error);
    return definition.handle(deps, {
      ...context,
      caller: caller.value,
      params: request.params,
      parameters: parameters.value,
      body: body.value as BodyRead<Taken>,
    });
  };
  const handler =
    (deps: Deps & HttpDeps): HttpHandler =>
    async (request, context) => {
      const asked = {
        requestId: requestIdOf(request) ?? deps.newId(),
        path: new URL(request.url).pathname,
        accept: request.headers.get("accept"),
      };
      const { clock, newId } = deps;
      const traceparent = traceparentOf(request.headers.get("traceparent"), newId);
      const callContext = { now: clock.now, newId, traceparent, requestId: asked.requestId };
      try {
        const answering = authorizeAndRead(request, deps, callContext);
        return toResponse(await (definition.waits ? answering : withTimeout(answering, deps)), asked);
      } catch (error) {
        return toResponse(refusal(failure(error, context)), asked);
      }
    };
  return { contract: contractOf(api, definition), handler };
}

function contractOf<
  Name extends string,
  Deps,
  Who,
  Taken extends RequestBody | undefined,
  Asked extends Parameters,
  Promised extends Successes,
>(
  api: ApiName,
  definition: Definition<Name, Deps, Who, Taken, Asked, Promised> & Pick<Contract, "scope" | "basic">,
): Contract<Name, Taken, Promised> {
  const { name, method, route, summary, description, scope, basic, body, successes } = definition;
  const { parameters = {}, replays = false, problems = [], notFound } = definition;
  const own = notFound ? [...problems, notFound] : problems;
  return {
    api,
    name,
    method,
    route,
    summary,
    description,
    scope,
    basic,
    parameters,
    body,
    successes,
    replays,
    problems: allProblems(own, { body, parameters, scope }),
  };
}

/** A dependency in trouble is 503 and worth another try; anything else is our mistake, told to the operator alone. */
function failure(error: unknown, context: InvocationContext): Problem {
  if (error instanceof Unavailable || error instanceof Conflict) {
    context.warn(`${error.name}: ${error.message}`);
    return { code: "dependency_unavailable" };
  }
  context.error(error);
  return { code: "internal_error" };
}

/** What is under way goes on after the timeout; whether it happened, a repeat of the request finds out. */
function withTimeout(answering: Promise<Answer>, { responseTimeoutMs }: HttpDeps): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const timer = setTimeout(
    () => reject(new Unavailable(`no answer within ${responseTimeoutMs} ms`)),
    responseTimeoutMs,
  );
  answering.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** The gateway's own identifier of the request, where it sent one. */
function requestIdOf(request: HttpRequest): string | undefined {
  const sent = request.headers.get("x-request-id");
  return sent !== null && /^[\w.-]{8,64}$/.test(sent) ? sent : undefined;
}
