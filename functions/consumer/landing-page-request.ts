import { consumer } from "../../shared/edge/auth/authenticate.ts";
import { tokenRequestObject, toTokenRequestObject } from "../../shared/contracts/objects/landing-page.ts";
import { landingPageRequestBody } from "../../shared/contracts/requests/landing-page-request.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import {
  requestAccessToken,
  type RequestAccessTokenDeps,
} from "../../shared/use-cases/vouchers/request-access-token.ts";

export const landingPageRequest = defineEndpoint({
  auth: consumer({ basic: true }),
  name: "landing-page-request",
  method: "POST",
  route: "landing-page-request",
  summary: "Landing Page Request",
  description:
    "Requests a voucher or key for a customer, which is sent by e-mail. A new landing page is created. If you repeat the request within a day, the response has its current state.",
  body: requestBody(landingPageRequestBody),
  successes: { 202: success("The request is received.", tokenRequestObject) },
  replays: true,
  problems: [
    "access_token_template_not_found",
    "landing_page_conflict",
    "landing_page_not_found",
    "landing_page_unavailable",
  ],
  handle: async (deps: RequestAccessTokenDeps, call) => {
    const requested = await requestAccessToken(deps, call, { ...call.body, user: call.caller.user ?? "" });
    if (!requested.ok) return refusal(requested.error);
    const { page, request, replayed } = requested.value;
    return respond(202, toTokenRequestObject(page, request), replayed);
  },
});
