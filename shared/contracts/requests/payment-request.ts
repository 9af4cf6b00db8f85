import * as z from "zod";
import type { PaymentRequest } from "../../domain/payment/requests/create-payment.ts";
import { amount, currency, minorUnits } from "../amount.ts";
import {
  captureMode,
  merchantID,
  merchantName,
  merchantReferences,
  metadata,
  msgType,
  pointOfServiceID,
  pointOfServiceName,
  sentText,
  sessionID,
} from "../fields.ts";
import { canonical, identifier } from "../identifier.ts";
import { values } from "../values.ts";
import { tipOptions, tipQuestion } from "./tip-options.ts";

const lateApproval = values("LateApproval", "The treatment of an approval after a cancel or after the expiry.", {
  void: "The money is returned.",
  keep: "The approval counts.",
});

/**
 * The body of a payment request. The specification's own fields are always enough. `captureMode`, `tip`, `expiresInSeconds`,
 * `lateApproval` and `confirmDuplicate` are optional additions.
 */
export const paymentRequestBody = z
  .object({
    sessionID: sessionID.meta({
      description: "Identifies the payment permanently. The same identifier is always the same payment.",
    }),
    msgType: msgType("paymentRequest"),
    merchantID,
    merchantName: merchantName.optional(),
    pointOfServiceID,
    pointOfServiceName: pointOfServiceName.optional(),
    totalAmountInclVat: amount,
    totalVatAmount: amount.optional(),
    currency,
    responseWebhookUrl: sentText(2048).optional().meta({
      format: "uri",
      description: "The address of this payment's webhooks: https on port 443, at a public host.",
    }),
    merchantReferences: merchantReferences.optional(),
    metadata: metadata.optional(),
    _id: identifier.optional().meta({ description: "Identifies this attempt. It is returned and has no effect." }),
    captureMode: captureMode.default("manual"),
    tip: tipOptions.optional(),
    expiresInSeconds: z.int().min(30).max(300).optional().meta({
      description: "Seconds from the payment's creation until the platform cancels it on the terminal. 120 by default.",
    }),
    lateApproval: lateApproval.default("void"),
    confirmDuplicate: z
      .boolean()
      .default(false)
      .meta({ description: "Confirms another payment of the same order and amount." }),
  })
  .meta({ id: "PaymentRequest" })
  .transform((body, context): PaymentRequest => {
    const { currency, totalAmountInclVat, totalVatAmount } = body;
    const total = minorUnits(context, {
      field: "totalAmountInclVat",
      value: totalAmountInclVat,
      currency,
      positive: true,
    });
    const vat =
      totalVatAmount === undefined
        ? undefined
        : minorUnits(context, { field: "totalVatAmount", value: totalVatAmount, currency, positive: false });
    if (vat !== undefined && vat > total) {
      context.addIssue({
        code: "custom",
        path: ["totalVatAmount"],
        params: { code: "out_of_range" },
        message: "must not exceed totalAmountInclVat",
      });
    }
    return {
      sessionId: canonical(body.sessionID),
      merchantId: canonical(body.merchantID),
      terminalId: canonical(body.pointOfServiceID),
      asReceived: { sessionId: body.sessionID, merchantId: body.merchantID, terminalId: body.pointOfServiceID },
      requestId: body._id,
      merchantName: body.merchantName,
      terminalName: body.pointOfServiceName,
      currency,
      amount: total,
      vat,
      captureMode: body.captureMode,
      tip: body.tip && tipQuestion(context, body.tip, { total, currency }),
      lateApproval: body.lateApproval,
      expiresInSeconds: body.expiresInSeconds,
      confirmDuplicate: body.confirmDuplicate,
      webhookUrl: body.responseWebhookUrl,
      references: body.merchantReferences,
      metadata: body.metadata,
    };
  });
