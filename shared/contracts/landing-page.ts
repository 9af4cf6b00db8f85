import { z } from "zod";
import { isEmailAddress } from "../domain/email-address.ts";
import {
  pageStates,
  requestReasons,
  requestStates,
  type LandingPage,
  type PageState,
  type TokenRequest,
} from "../domain/landing-page.ts";
import { canonical, identifier } from "./identifier.ts";
import { instant } from "./instant.ts";

/** The body of a landing page request: all its fields are needed. */
export const landingPageRequestBody = z
  .object({
    landingPageID: identifier,
    productID: identifier,
    templateAccessTokenID: identifier,
    button: z.int().min(0),
    email: z
      .string()
      .refine(isEmailAddress, "must be one plain e-mail address")
      .meta({ format: "email", description: "Kept only until the mail has gone out." }),
  })
  .meta({ id: "LandingPageRequest" })
  .transform(({ landingPageID, productID, templateAccessTokenID, button, email }) => ({
    landingPageId: canonical(landingPageID),
    productId: canonical(productID),
    templateId: canonical(templateAccessTokenID),
    spelled: { landingPageId: landingPageID, productId: productID, templateId: templateAccessTokenID },
    button,
    email,
  }));

const state = { status: z.enum(requestStates), statusReason: z.enum(requestReasons).optional() };

/** A request as its caller sees it. */
export const tokenRequestObject = z
  .object({ requestID: identifier, landingPageID: identifier, productID: identifier, ...state })
  .meta({ id: "TokenRequest", description: "A request for a voucher or key, and how it stands." });
export type TokenRequestObject = z.infer<typeof tokenRequestObject>;

export const toTokenRequestObject = (
  { spelled }: LandingPage,
  { requestId, status, statusReason }: TokenRequest,
): TokenRequestObject => ({
  requestID: requestId,
  landingPageID: spelled.landingPageId,
  productID: spelled.productId,
  status,
  statusReason,
});

/** A landing page as whoever has the function key sees it: no code, no whole address. */
export const landingPageObject = z
  .object({
    landingPageID: identifier,
    productID: identifier,
    templateAccessTokenID: identifier,
    name: z.string(),
    status: z.enum(pageStates),
    buttons: z.array(z.int().min(0)).meta({ description: "Those that the latest requests came by." }),
    requests: z
      .array(
        z.object({
          requestID: identifier,
          button: z.int().min(0),
          ...state,
          email: z.string().meta({ description: "Masked: never a whole address." }),
          createdAt: instant,
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
  landingPageID: view.page.spelled.landingPageId,
  productID: view.page.spelled.productId,
  templateAccessTokenID: view.page.spelled.templateId,
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
