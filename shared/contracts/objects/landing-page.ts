import { z } from "zod";
import {
  pageStates,
  requestReasons,
  requestStates,
  type LandingPage,
  type PageState,
  type TokenRequest,
} from "../../domain/landing-page.ts";
import { button, createdAt, landingPageID, productID, templateAccessTokenID } from "../fields.ts";
import { identifier } from "../identifier.ts";

const requestID = identifier.meta({ description: "The request for a voucher or key." });
const state = {
  status: z.enum(requestStates).meta({ description: "How the request stands." }),
  statusReason: z.enum(requestReasons).optional().meta({ description: "Why it stands so." }),
};

/** A request as its caller sees it. */
export const tokenRequestObject = z
  .object({ requestID, landingPageID, productID, ...state })
  .meta({ id: "TokenRequest", description: "A request for a voucher or key, and how it stands." });
export type TokenRequestObject = z.infer<typeof tokenRequestObject>;

export const toTokenRequestObject = (
  { asReceived }: LandingPage,
  { requestId, status, statusReason }: TokenRequest,
): TokenRequestObject => ({
  requestID: requestId,
  landingPageID: asReceived.landingPageId,
  productID: asReceived.productId,
  status,
  statusReason,
});

/** A landing page as a caller with the function key sees it: no code, and no whole address. */
export const landingPageObject = z
  .object({
    landingPageID,
    productID,
    templateAccessTokenID,
    name: z.string().meta({ description: "The page's name, as customers know it." }),
    status: z.enum(pageStates).meta({ description: "Whether the page takes requests." }),
    buttons: z.array(button).meta({ description: "Those that the latest requests came by." }),
    requests: z
      .array(
        z.object({
          requestID,
          button,
          ...state,
          email: z.string().meta({ description: "Masked: never a whole address." }),
          createdAt,
        }),
      )
      .meta({ description: "The latest, newest first." }),
  })
  .meta({ id: "LandingPage" });
export type LandingPageObject = z.infer<typeof landingPageObject>;

export const toLandingPageObject = (view: {
  readonly page: LandingPage;
  readonly state: PageState;
  readonly requests: readonly TokenRequest[];
}): LandingPageObject => ({
  landingPageID: view.page.asReceived.landingPageId,
  productID: view.page.asReceived.productId,
  templateAccessTokenID: view.page.asReceived.templateId,
  name: view.page.name,
  status: view.state,
  buttons: [...new Set(view.requests.map(({ button }) => button))].toSorted((a, b) => a - b),
  requests: view.requests.map(({ requestId, button, status, statusReason, maskedEmail, createdAt }) => ({
    requestID: requestId,
    button,
    status,
    statusReason,
    email: maskedEmail,
    createdAt,
  })),
});
