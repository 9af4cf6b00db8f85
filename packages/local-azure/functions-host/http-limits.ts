import { endEmpty } from "../common/bounded-server.ts";
import type { HttpSettings } from "./host-settings.ts";
import type { AnswerRequest } from "./http-trigger.ts";

/**
 * Answers at most `maxConcurrentRequests` at a time. Further requests wait in order. A request beyond `maxOutstandingRequests` gets an
 * empty 429. It has the header by which the host asks for another instance, and none of host.json's headers.
 */
export function limited(
  answer: AnswerRequest,
  most: Pick<HttpSettings, "maxOutstandingRequests" | "maxConcurrentRequests" | "customHeaders">,
): AnswerRequest {
  let outstanding = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const begin = async () => {
    if (running < most.maxConcurrentRequests) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // takes over from a request that ends
  };
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return async (request, response) => {
    if (outstanding >= most.maxOutstandingRequests) {
      for (const name of Object.keys(most.customHeaders)) response.removeHeader(name);
      response.setHeader("x-function-scaleout", "1");
      return endEmpty(request, response, 429);
    }
    outstanding++;
    await begin();
    try {
      await answer(request, response);
    } finally {
      outstanding--;
      end();
    }
  };
}
