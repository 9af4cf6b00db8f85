import { toLandingPageObject } from "../../shared/contracts/landing-page.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { consumerFunction } from "../../shared/http/http-function.ts";
import { readLandingPage, type ReadLandingPage } from "../../shared/use-cases/read-landing-page.ts";

/** Reads a landing page and how its latest requests stand. The function key alone opens it, so it tells no secrets. */
export const getLandingPage = (deps: ReadLandingPage) =>
  consumerFunction({
    name: "get-landing-page",
    method: "GET",
    route: "landing-page/{landing_page_id}",
    handle: async ({ params }) => {
      const view = await readLandingPage(deps, params["landing_page_id"] ?? "");
      return view.ok ? answer(200, toLandingPageObject(view.value)) : refusal(view.error);
    },
  });
