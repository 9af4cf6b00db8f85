import * as z from "zod";
import { MOST_DAYS, whyNoTime } from "../../domain/payment/record/payment-query.ts";
import { merchantID, merchantReferences, pageLimit, pageSize, pointOfServiceID, sentDay } from "../fields.ts";
import { paymentStatus } from "../objects/payment-values.ts";

const dayOrMoment = z
  .string()
  .max(40)
  .superRefine((text, context) => {
    const message = whyNoTime(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

/** The query of a partner's list of payments. Fields that filter have the same names as in a payment. */
export const paymentListQuery = z.object({
  day: sentDay.optional().meta({
    description: "The UTC day on which the payments were created. Today, if `from` is absent too.",
    param: { example: "2026-11-21" },
  }),
  from: dayOrMoment.optional().meta({
    description: "Instead of `day`: a UTC day, or a moment of RFC 3339 with its offset.",
    param: { example: "2026-11-21T10:30:00+01:00" },
  }),
  to: dayOrMoment.optional().meta({
    description: `With \`from\`: the last UTC day, or the moment before which the list ends. At most ${MOST_DAYS} days after \`from\`, which is also the default.`,
    param: { example: "2026-11-22T00:00:00Z" },
  }),
  status: paymentStatus.optional().meta({ description: "The payment's status when its page is read." }),
  pointOfServiceID: pointOfServiceID.optional(),
  merchantID: merchantID.optional(),
  orderId: merchantReferences.shape.orderId.meta({ description: "Your `orderId`, exactly as you sent it." }),
  limit: pageLimit("payments", pageSize),
  after: z.string().max(4_000).optional().meta({
    description:
      "`next` of the previous page. The filters must be the same. Times may be left out, and `limit` may change.",
  }),
});

export const limitOf = ({ limit = pageSize.usual }: z.infer<typeof paymentListQuery>): number => limit;
