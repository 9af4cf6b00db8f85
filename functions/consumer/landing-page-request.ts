import { landingPageRequestBody, toTokenRequestObject } from "../../shared/contracts/landing-page.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import type { CheckBasic } from "../../shared/http/basic-credentials.ts";
import { consumerFunction } from "../../shared/http/http-function.ts";
import { requestAccessToken, type RequestAccessToken } from "../../shared/use-cases/request-access-token.ts";

/** Creates a landing page where it is new, and asks for a voucher or key for a customer; it comes by e-mail. */
export const landingPageRequest = (deps: RequestAccessToken & { readonly checkBasic: CheckBasic }) =>
  consumerFunction({
    name: "landing-page-request",
    method: "POST",
    route: "landing-page-request",
    body: landingPageRequestBody,
    credentials: deps.checkBasic,
    handle: async ({ body, traceparent }) => {
      const requested = await requestAccessToken(deps, body, traceparent);
      if (!requested.ok) return refusal(requested.error);
      const { page, request, replayed } = requested.value;
      return answer(202, toTokenRequestObject(page, request), replayed);
    },
  });
