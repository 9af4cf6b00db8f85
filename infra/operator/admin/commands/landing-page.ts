import { createPage, pageState } from "../../../../shared/domain/landing-page.ts";
import type { LandingPages, StoredPage } from "../../../../shared/stores/landing-pages.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables, newId } from "../../common/platform.ts";
import { argument, identifier, required } from "../words.ts";
import { findTemplate } from "./template-look.ts";

const MAX_REQUESTS = 100;
const words = [argument("<landingPageID>", "the landing page", identifier)];

const create = command({
  name: "create",
  does: "creates a landing page for a template whose pages only operators create",
  words: [
    argument("[landingPageID]", "its identifier; default: a new one", identifier),
    required("--product <productID>", "the product", identifier),
    required("--template <templateID>", "the template of its vouchers or keys", identifier),
  ],
  examples: [
    "landing-page create --product 5b1c1c5e-8f0f-4c57-9a3e-2f6f0f6f9f10 --template 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21",
  ],
  writes: true,
  async run({ landingPageID: landingPageId = newId(), product: productId, template: templateId }, { connect }) {
    const { landingPages, accessTokenTemplates } = connectTables(await connect());
    const template = await findTemplate({ accessTokenTemplates }, templateId);
    const ids = { landingPageId, productId, templateId };
    if (await landingPages.find(landingPageId)) throw new Error("This landing page already exists.");
    await landingPages.add(createPage({ ...ids, asReceived: ids }, template, clock.now()));
    return { landingPageID: landingPageId, productID: productId, templateAccessTokenID: templateId, status: "active" };
  },
});

const show = command({
  name: "show",
  does: "shows a landing page with its latest requests and their tokens",
  words,
  examples: ["landing-page show 3f0c1c5e-8f0f-4c57-9a3e-2f6f0f6f9f10"],
  async run({ landingPageID }, { connect }) {
    const { landingPages } = connectTables(await connect());
    const { page } = await find(landingPages, landingPageID);
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
});

const disable = command({
  name: "disable",
  does: "disables a landing page for new requests; its issued tokens stay valid",
  words,
  examples: ["landing-page disable 3f0c1c5e-8f0f-4c57-9a3e-2f6f0f6f9f10"],
  writes: true,
  async run({ landingPageID }, { connect }) {
    const { landingPages } = connectTables(await connect());
    const { page, etag } = await find(landingPages, landingPageID);
    if (page.status !== "disabled") {
      await landingPages.save({ ...page, status: "disabled", updatedAt: clock.now() }, etag);
    }
    return { landingPageID: page.asReceived.landingPageId, status: "disabled" };
  },
});

async function find(landingPages: LandingPages, landingPageId: string): Promise<StoredPage> {
  const stored = await landingPages.find(landingPageId);
  if (!stored) throw new Error("There is no such landing page.");
  return stored;
}

export const landingPage: Group = {
  name: "landing-page",
  does: "the pages that issue vouchers and keys",
  commands: [create, show, disable],
};
