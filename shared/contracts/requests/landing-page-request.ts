import * as z from "zod";
import { isEmailAddress } from "../../domain/email-address.ts";
import { button, landingPageID, productID, templateAccessTokenID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** A language with its script and country, in the form of BCP 47. `Intl` accepts every such tag, even if it does not know the language. */
const locale = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/, "must be a language such as sv or sv-SE")
  .meta({
    description:
      "The language of the mail, with a country for its dates and amounts, such as `sv` or `sv-SE`: the page's own, or the customer's. That of the template when left out.",
  });

/** The body of a landing page request. */
export const landingPageRequestBody = z
  .object({
    landingPageID,
    productID,
    templateAccessTokenID,
    button,
    email: z
      .string()
      .refine(isEmailAddress, "must be one plain e-mail address")
      .meta({ format: "email", description: "Kept only until the mail has gone out." }),
    locale: locale.optional(),
  })
  .meta({ id: "LandingPageRequest" })
  .transform(({ landingPageID, productID, templateAccessTokenID, button, email, locale: language }) => ({
    landingPageId: canonical(landingPageID),
    productId: canonical(productID),
    templateId: canonical(templateAccessTokenID),
    asReceived: { landingPageId: landingPageID, productId: productID, templateId: templateAccessTokenID },
    button,
    email,
    locale: language,
  }));
