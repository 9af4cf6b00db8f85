import * as z from "zod";
import type { LandingPage, PageState, TokenRequest } from "../../domain/landing-page.ts";
import { button, createdAt, landingPageID, productID, templateAccessTokenID } from "../fields.ts";
import { identifier } from "../identifier.ts";
import { values } from "../values.ts";

const requestID = identifier.meta({ description: "The request for a voucher or key." });
const state = {
  status: values("TokenRequestStatus", "The request's status.", {
    received: "The request is stored.",
    issued: "The voucher or key exists, and the mail is being sent.",
    emailed: "The mail server accepted the mail.",
    emailFailed: "The mail was not sent. `statusReason` has the reason.",
  }),
  statusReason: values("TokenRequestReason", "The reason of the status.", {
    rateLimited:
      "There were too many requests for the address or its domain, and no token was issued. Request it again later.",
    limitReached: "The template has reached its limit.",
    templateStopped: "The template is stopped at present.",
    addressRefused: "The mail server rejects this address permanently.",
    mailRefused: "The mail server rejects this mail permanently, because of its content or sender.",
    mailServerSilent: "The mail server did not accept the mail for a day and a half.",
    tokenRevoked: "An operator revoked the voucher or key before its mail was sent.",
  }).optional(),
};

/** A request as its caller sees it. */
export const tokenRequestObject = z
  .object({ requestID, landingPageID, productID, ...state })
  .meta({ id: "TokenRequest", description: "A request for a voucher or key, and its status." });
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

const listedRequest = z
  .object({
    requestID,
    button,
    ...state,
    email: z.string().meta({ description: "The masked address." }),
    createdAt,
  })
  .meta({ id: "ListedTokenRequest", description: "A request of a landing page, without the customer's address." });

/** A landing page as a caller with the function key sees it: no code, and no whole address. */
export const landingPageObject = z
  .object({
    landingPageID,
    productID,
    templateAccessTokenID,
    name: z.string().meta({ description: "The page's name, as customers know it." }),
    status: values("LandingPageStatus", "Whether the page accepts requests.", {
      active: "The page accepts requests.",
      disabled: "An operator has disabled the page.",
      expired: "The page has expired.",
    }),
    buttons: z.array(button).meta({ description: "The buttons of the latest requests." }),
    requests: z.array(listedRequest).meta({ description: "The latest requests, newest first." }),
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
