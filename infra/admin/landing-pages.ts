import { pageState } from "../../shared/domain/landing-page.ts";
import type { LandingPages, StoredPage } from "../../shared/ports/landing-pages.ts";
import { oneIdentifier, type Subcommand } from "./subcommand.ts";
import { clock, connectTables } from "./platform.ts";

const MAX_REQUESTS = 100;

export const showLandingPage: Subcommand = {
  name: "landing-page show",
  usage: "<landingPageID>",
  does: "shows a landing page with its latest requests and their tokens",
  async run(args, connect) {
    const { landingPages } = connectTables(await connect());
    const { page } = await find(landingPages, oneIdentifier(args, "landing page"));
    const requests = await landingPages.latest(page.landingPageId, MAX_REQUESTS);
    return {
      landingPageID: page.asReceived.landingPageId,
      productID: page.asReceived.productId,
      templateAccessTokenID: page.templateId,
      name: page.name,
      status: pageState(page, clock.now()),
      endsAt: page.endsAt,
      requests: requests.map((request) => ({
        requestID: request.requestId,
        accessTokenID: request.tokenId,
        button: request.button,
        email: request.maskedEmail,
        status: request.status,
        statusReason: request.statusReason,
        createdAt: request.createdAt,
      })),
    };
  },
};

export const disableLandingPage: Subcommand = {
  name: "landing-page disable",
  usage: "<landingPageID>",
  does: "disables a landing page for new requests; its issued tokens stay valid",
  async run(args, connect) {
    const { landingPages } = connectTables(await connect());
    const { page, etag } = await find(landingPages, oneIdentifier(args, "landing page"));
    if (page.status !== "disabled") {
      await landingPages.save({ ...page, status: "disabled", updatedAt: clock.now() }, etag);
    }
    return { landingPageID: page.asReceived.landingPageId, status: "disabled" };
  },
};

async function find(landingPages: LandingPages, landingPageId: string): Promise<StoredPage> {
  const stored = await landingPages.find(landingPageId);
  if (!stored) throw new Error("There is no such landing page.");
  return stored;
}
