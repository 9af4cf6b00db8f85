import * as z from "zod";
import { isEmailAddress, LONGEST_ADDRESS } from "../../domain/email-address.ts";
import { button, landingPageID, productID, templateAccessTokenID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** A language with its script and country, in the form of BCP 47. `Intl` accepts every such tag, even if it does not know the language. */
const LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$/;
const locale = z
  .string()
  .refine((text) => LOCALE.test(text), "must be a language such as sv or sv-SE")
  .meta({
    pattern: LOCALE.source,
    description:
      "The language of the mail, optionally with a country for dates and amounts, such as `sv` or `sv-SE`. The template's language by default.",
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
      .max(LONGEST_ADDRESS)
      .refine(isEmailAddress, "must be one plain e-mail address")
      .meta({ format: "email", description: "The customer's address. It is kept only until the mail is sent." }),
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
