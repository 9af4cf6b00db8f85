import type { HttpHandler, HttpMethod, HttpRequest, InvocationContext } from "@azure/functions";
import type { z } from "zod";
import type { Problem, ProblemCode } from "../contracts/problem.ts";
import { isIdentifier } from "../domain/identifier.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { Clock, NewId } from "../ports/clock.ts";
import { Conflict, Unavailable } from "../ports/failures.ts";
import type { Partners, Scope } from "../ports/partners.ts";
import type { Terminals, TerminalView } from "../ports/terminals.ts";
import type { Caller } from "../use-cases/caller.ts";
import { refusal, toResponse, type Answer } from "./answer.ts";
import { authenticatePartner, authenticateTerminal } from "./authenticate.ts";
import type { CheckBasic } from "./basic-credentials.ts";
import type { Peppers } from "./credentials.ts";
import { readBody } from "./read-body.ts";
import { traceparentOf } from "./trace-context.ts";

/** What every endpoint stands behind: who may come in, what time it is. */
export interface Edge {
  readonly partners: Partners;
  readonly terminals: Terminals;
  readonly peppers: Peppers;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Milliseconds that tables and queues get in all, before the caller is told to come again. */
  readonly patienceMs: number;
}

/** A call that was let in, with its body read. */
export interface Call<Who, Body> {
  readonly caller: Who;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: { get(name: string): string | null };
  /** W3C trace context, to be carried on through queues. */
  readonly traceparent: string;
}

/** An endpoint as it reads: its name is also its file's, its policy's and its operation's. */
interface Definition<Who, Body> {
  readonly name: string;
  readonly method: HttpMethod;
  readonly route: string;
  /** What a name in the path that is no identifier is answered with: as one that does not exist. */
  readonly notFound?: ProblemCode;
  /** Left out by those that take no body. */
  readonly body?: z.ZodType<Body>;
  /** Answers when it likes: a long poll. */
  readonly waits?: boolean;
  handle(call: Call<Who, Body>): Promise<Answer>;
}

/** An endpoint ready to be registered, once it is given its edge. */
export interface HttpFunction {
  readonly name: string;
  readonly method: HttpMethod;
  readonly route: string;
  readonly behind: (edge: Edge) => HttpHandler;
}

/** An endpoint of the Partners API, for keys that have the scope. */
export const partnerFunction = <Body = undefined>(
  definition: Definition<Caller, Body> & { readonly scope: Scope },
): HttpFunction =>
  httpFunction(definition, (request, { partners, peppers, clock }) =>
    authenticatePartner(request, definition.scope, { partners, peppers, now: clock.now() }),
  );

/** An endpoint of the API that terminals speak. */
export const terminalFunction = <Body = undefined>(definition: Definition<TerminalView, Body>): HttpFunction =>
  httpFunction(definition, authenticateTerminal);

/** An endpoint of the Consumer Web API. The host has checked its function key; Basic credentials it asks for itself. */
export const consumerFunction = <Body = undefined>(
  definition: Definition<"consumer", Body> & { readonly credentials?: CheckBasic },
): HttpFunction =>
  httpFunction(definition, async (request) => {
    const { credentials } = definition;
    const proven = !credentials || (await credentials(request.headers.get("authorization")));
    return proven ? ok("consumer") : refuse({ code: "invalid_credentials" });
  });

function httpFunction<Who, Body>(
  definition: Definition<Who, Body>,
  authenticate: (request: HttpRequest, edge: Edge) => Promise<Result<Who, Problem>>,
): HttpFunction {
  const { name, method, route, waits } = definition;
  const letIn = async (request: HttpRequest, edge: Edge, traceparent: string): Promise<Answer> => {
    const caller = await authenticate(request, edge);
    if (!caller.ok) return refusal(caller.error);
    if (definition.notFound && !Object.values(request.params).every(isIdentifier)) {
      return refusal({ code: definition.notFound });
    }
    const body = definition.body ? await readBody(request, definition.body) : ok(undefined as Body);
    if (!body.ok) return refusal(body.error);
    const { params, query, headers } = request;
    return definition.handle({ caller: caller.value, body: body.value, params, query, headers, traceparent });
  };
  const behind =
    (edge: Edge): HttpHandler =>
    async (request, context) => {
      const asked = {
        requestId: requestIdOf(request) ?? edge.newId(),
        path: new URL(request.url).pathname,
        accept: request.headers.get("accept"),
      };
      const traceparent = traceparentOf(request.headers.get("traceparent"), edge.newId);
      try {
        const answering = letIn(request, edge, traceparent);
        return toResponse(await (waits ? answering : withPatience(answering, edge)), asked);
      } catch (error) {
        return toResponse(refusal(failure(error, context)), asked);
      }
    };
  return { name, method, route, behind };
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

/** What is under way goes on when patience ends; whether it happened, a repeat of the request finds out. */
function withPatience(answering: Promise<Answer>, { patienceMs }: Edge): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => reject(new Unavailable(`no answer within ${patienceMs} ms`)), patienceMs);
  answering.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** The gateway's own identifier of the request, where it sent one. */
function requestIdOf(request: HttpRequest): string | undefined {
  const sent = request.headers.get("x-request-id");
  return sent !== null && /^[\w.-]{8,64}$/.test(sent) ? sent : undefined;
}
