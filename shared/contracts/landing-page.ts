import { z } from "zod";
import { isEmailAddress } from "../domain/email-address.ts";
import type { LandingPage, PageState, TokenRequest } from "../domain/landing-page.ts";
import { canonical, identifier } from "./identifier.ts";

/** The body of a landing page request: all its fields are needed. */
export const landingPageRequestBody = z
  .object({
    landingPageID: identifier,
    productID: identifier,
    templateAccessTokenID: identifier,
    button: z.int().min(0),
    email: z.string().refine(isEmailAddress, "must be one plain e-mail address"),
  })
  .transform(({ landingPageID, productID, templateAccessTokenID, button, email }) => ({
    landingPageId: canonical(landingPageID),
    productId: canonical(productID),
    templateId: canonical(templateAccessTokenID),
    spelled: { landingPageId: landingPageID, productId: productID, templateId: templateAccessTokenID },
    button,
    email,
  }));

/** A request as its caller sees it. */
export const toTokenRequestObject = ({ spelled }: LandingPage, { requestId, status, statusReason }: TokenRequest) => ({
  requestID: requestId,
  landingPageID: spelled.landingPageId,
  productID: spelled.productId,
  status,
  statusReason,
});
export type TokenRequestObject = ReturnType<typeof toTokenRequestObject>;

/** A landing page as whoever has the function key sees it: no code, no whole address. */
export const toLandingPageObject = (view: {
  readonly page: LandingPage;
  readonly state: PageState;
  readonly requests: readonly TokenRequest[];
}) => ({
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
export type LandingPageObject = ReturnType<typeof toLandingPageObject>;
