import { pageState, type LandingPage, type PageState, type TokenRequest } from "../../domain/landing-page.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Needs } from "../needs.ts";

export type ReadLandingPageDeps = Needs<"landingPages">;

export interface LandingPageView {
  readonly page: LandingPage;
  readonly state: PageState;
  /** The latest requests, newest first. */
  readonly requests: readonly TokenRequest[];
}

/** The most requests that are shown. A page may have thousands. */
const MAX_REQUESTS = 100;

/** Reads a landing page in its present state, with its latest requests. */
export async function readLandingPage(
  deps: ReadLandingPageDeps,
  { now }: CallContext,
  idAsReceived: string,
): Promise<Result<LandingPageView, Refusal<"landing_page_not_found">>> {
  const landingPageId = idAsReceived.toLowerCase();
  if (landingPageId === "" || landingPageId.length > 64) return refuse({ code: "landing_page_not_found" });
  const [stored, requests] = await Promise.all([
    deps.landingPages.find(landingPageId),
    deps.landingPages.latest(landingPageId, MAX_REQUESTS),
  ]);
  if (!stored) return refuse({ code: "landing_page_not_found" });
  const { page } = stored;
  return ok({ page, state: pageState(page, now()), requests });
}
