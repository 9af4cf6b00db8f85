import type { HttpHandler } from "@azure/functions";
import { problems } from "../../contracts/objects/problem.ts";
import type { Contract } from "./contract.ts";
import { receivedAs, requestIdOf, type HttpDeps } from "./handle-request.ts";
import { toHttpResponse } from "./response.ts";

const problem = { code: "dependency_unavailable" } as const;

/**
 * The endpoint while the app cannot start. No caller is authenticated and nothing is carried out. Each request gets 503, so that its caller
 * retries.
 */
export const unableToStart =
  (
    { name, api }: Pick<Contract, "name" | "api">,
    { newId, log, problemPagesUrl }: Pick<HttpDeps, "newId" | "log" | "problemPagesUrl">,
  ): HttpHandler =>
  (request, context) => {
    const requestId = requestIdOf(request) ?? newId();
    return log.within({ requestID: requestId, function: name }, context, async () => {
      log.write("request", { status: problems[problem.code].status, code: problem.code });
      return toHttpResponse({ problem }, receivedAs(request, requestId, { api, pagesUrl: problemPagesUrl }));
    });
  };
