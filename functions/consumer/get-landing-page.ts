import { consumer } from "../../shared/edge/auth/authenticate.ts";
import { landingPageObject, toLandingPageObject } from "../../shared/contracts/objects/landing-page.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { readLandingPage, type ReadLandingPageDeps } from "../../shared/use-cases/vouchers/read-landing-page.ts";

export const getLandingPage = defineEndpoint({
  auth: consumer(),
  name: "get-landing-page",
  method: "GET",
  isRead: true,
  route: "landing-page/{landing_page_id}",
  summary: "Get Landing Page",
  description:
    "Reads a landing page and the status of its latest requests. It shows no code and no whole address, because the function key alone gives access.",
  notFound: "landing_page_not_found",
  successes: { 200: success("The page's current state.", landingPageObject) },
  handle: async (deps: ReadLandingPageDeps, call) => {
    const view = await readLandingPage(deps, call, call.params["landing_page_id"] ?? "");
    return view.ok ? respond(200, toLandingPageObject(view.value)) : refusal(view.error);
  },
});
