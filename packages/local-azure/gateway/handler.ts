import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { endAnswer, readWithin } from "../common/bounded-server.ts";
import type { Publisher } from "../common/publish.ts";
import { headerOf, PolicyFailure, type Answer, type Call, type Headers } from "./call.ts";
import type { Api, Operation } from "./declaration.ts";
import type { Forwarder } from "./forward.ts";
import { newCourse, passedCall, type Course, type PassedCall } from "./passed-call.ts";
import { run, type AskBackend } from "./pipeline.ts";
import { preflightAnswer } from "./policies/cors.ts";
import type { Match, Router } from "./router.ts";
import type { Plan } from "./sections.ts";
import type { SubscriptionCheck } from "./subscriptions.ts";

export interface Route {
  readonly api: Api;
  readonly operation: Operation;
  readonly plan: Plan;
}

/** The parts that the gateway prepares before the first request. */
export interface Site {
  readonly route: Router<Route>;
  /** The policies for a request that matches no operation. */
  readonly unknown: Plan;
  readonly checkSubscription: SubscriptionCheck;
  readonly backend: Forwarder;
  readonly isStopping: () => boolean;
  readonly passed: Publisher<PassedCall> | undefined;
}

/** Runs each request through its policies and responds. When the caller disconnects, the request to the backend is aborted. */
export const handler =
  (site: Site): RequestListener =>
  (request, response) => {
    const gone = new AbortController();
    const course = newCourse();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
      if (site.passed?.isWatched()) site.passed.publish(passedCall(course, request, response));
    });
    const respond = async () => {
      course.answer = await answerTo(request, site, gone.signal, course);
      write(course.answer, request, response, site.isStopping());
    };
    respond().catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  };

async function answerTo(request: IncomingMessage, site: Site, gone: AbortSignal, course: Course): Promise<Answer> {
  const { method = "GET" } = request;
  const [path, query = ""] = splitOnce(request.url ?? "", "?");
  const preflightFor = preflightMethod(request);
  const match = site.route(preflightFor ?? method, path);
  const call = toCall(request, { method, path, query }, match);
  course.call = call;
  const ask: AskBackend = async (call, options) => {
    course.body = call.request.body === undefined ? await bodyOf(call) : Buffer.from(call.request.body);
    return site.backend.forward(call, options, course.body, gone);
  };
  const answerUnknown = () => run(call, site.unknown, refuseUnknown, ask);
  if (!match) return answerUnknown();
  const { api, plan } = match.target;
  if (preflightFor !== undefined) return plan.cors.length > 0 ? preflightAnswer(plan.cors, call) : answerUnknown();
  const admit = () => {
    call.subscriptionId = site.checkSubscription(call, api);
  };
  return run(call, plan, admit, ask);
}

function refuseUnknown(): never {
  throw new PolicyFailure("configuration", "OperationNotFound", 404, "Resource not found");
}

/** The method that a browser's preflight request names. */
function preflightMethod({ method, headers }: IncomingMessage): string | undefined {
  return method === "OPTIONS" && headers.origin !== undefined ? headers["access-control-request-method"] : undefined;
}

function toCall(
  request: IncomingMessage,
  { method, path, query }: { readonly method: string; readonly path: string; readonly query: string },
  match: Match<Route> | undefined,
): Call {
  const headers: Headers = new Map();
  for (const [name, values] of Object.entries(request.headersDistinct)) headers.set(name, headerOf(name, values ?? []));
  return {
    requestId: randomUUID(),
    request: {
      method,
      path,
      query,
      headers,
      ipAddress: (request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""),
      body: undefined,
      ...received(request, match?.target.operation),
    },
    operation: match && {
      apiId: match.target.api.id,
      id: match.target.operation.id,
      contentType: match.target.operation.requestContentType,
    },
    parameters: match?.parameters ?? new Map(),
    subscriptionId: undefined,
    variables: new Map(),
    backend: { baseUrl: undefined, path: match?.path ?? path, query },
    answer: undefined,
    lastError: undefined,
    atEnd: [],
    cors: new Map(),
  };
}

/** The longest body that API Management holds for its policies. */
const HELD_BYTES = 2 * 1024 * 1024;

/** The request's body. It is read once: when a policy asks for it, or when it is forwarded. */
function received(
  request: IncomingMessage,
  operation: Operation | undefined,
): Pick<Call["request"], "hasBody" | "content" | "read"> {
  const most = operation?.requestContentType === undefined ? 0 : HELD_BYTES;
  const { "content-length": declared, "transfer-encoding": encoding } = request.headers;
  let reading: Promise<Uint8Array | undefined> | undefined;
  const known: { content?: Uint8Array } = {};
  return {
    hasBody: encoding !== undefined || Number(declared ?? 0) > 0,
    content: () => known.content,
    async read() {
      reading ??= readWithin(request, most).catch(() => {
        throw new PolicyFailure("forward-request", "ClientConnectionFailure", 499, "The client is gone.");
      });
      const content = await reading;
      if (content) known.content = content;
      return content;
    },
  };
}

/**
 * Reads the body only when it is forwarded, so not for a rejected request, and not if a policy replaced it. API Management streams the
 * body. This gateway holds it in memory, so it cuts off a body that is longer than it holds, or that the operation does not take. API
 * Management does not have that failure.
 */
async function bodyOf({ request }: Call): Promise<Uint8Array> {
  const body = await request.read();
  if (body) return body;
  throw new PolicyFailure(
    "forward-request",
    "RequestBodyTooLarge",
    413,
    "The body is larger than the operation takes.",
  );
}

function write(answer: Answer, request: IncomingMessage, response: ServerResponse, isLast: boolean): void {
  if (response.destroyed) return;
  const hasBody = answer.status !== 204 && answer.status !== 304;
  const body = Buffer.from(answer.body ?? "");
  if (hasBody) answer.headers.set("content-length", String(body.byteLength));
  if (isLast) answer.headers.set("connection", "close");
  response.statusCode = answer.status;
  response.statusMessage = answer.reason;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  endAnswer(request, response, hasBody ? body : undefined);
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
