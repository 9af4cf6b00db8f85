import { z } from "zod";
import { isEmailAddress } from "../../domain/email-address.ts";
import { button, landingPageID, productID, templateAccessTokenID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** The body of a landing page request. All its fields are required. */
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
  })
  .meta({ id: "LandingPageRequest" })
  .transform(({ landingPageID, productID, templateAccessTokenID, button, email }) => ({
    landingPageId: canonical(landingPageID),
    productId: canonical(productID),
    templateId: canonical(templateAccessTokenID),
    asReceived: { landingPageId: landingPageID, productId: productID, templateId: templateAccessTokenID },
    button,
    email,
  }));
