import * as z from "zod";

import { amount } from "../amount.ts";
import { discountID, freeText, pointOfServiceID, sentText, sessionID } from "../fields.ts";
import { canonical } from "../identifier.ts";

/** The body of a discount: exactly one kind of discount, and a target if needed. The specification does not show this body. */
export const addDiscountBody = z
  .object({
    sessionID: sessionID
      .optional()
      .meta({ description: "The payment. By default the terminal's running payment, or else the only running one." }),
    pointOfServiceID: pointOfServiceID.optional(),
    discountID: discountID
      .optional()
      .meta({ description: "Identifies the discount, so that you can retry it safely." }),
    discountAmount: amount.optional(),
    discountPercent: z
      .number()
      .gt(0)
      .lt(100)
      .multipleOf(0.01)
      .optional()
      .meta({ description: "A percentage of the amount to pay." }),
    voucherCode: sentText(64).min(1).optional().meta({ description: "The code, as the customer reads or scans it." }),
    reason: freeText(128).optional().meta({ description: "The reason of the discount." }),
    totalVatAmount: amount
      .optional()
      .meta({ description: "The remaining VAT. By default, VAT shrinks in proportion." }),
  })
  .superRefine(({ discountAmount, discountPercent, voucherCode }, context) => {
    const given = [discountAmount, discountPercent, voucherCode].filter((kind) => kind !== undefined).length;
    if (given === 1) return;
    context.addIssue({
      code: "custom",
      path: ["discountAmount"],
      params: { code: given === 0 ? "required" : "invalid" },
      message: "is required without discountPercent and voucherCode, and not allowed with them",
    });
  })
  .meta({ id: "AddDiscount", description: "Exactly one of `discountAmount`, `discountPercent` and `voucherCode`." })
  .transform((body) => ({
    sessionId: body.sessionID && canonical(body.sessionID),
    terminalId: body.pointOfServiceID && canonical(body.pointOfServiceID),
    discountId: body.discountID && canonical(body.discountID),
    discountAmount: body.discountAmount,
    discountPercent: body.discountPercent,
    voucherCode: body.voucherCode,
    totalVatAmount: body.totalVatAmount,
    reason: body.reason,
  }));
