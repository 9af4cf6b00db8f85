import * as z from "zod";
import { sentText } from "../fields.ts";

/** The body of a request for a test event. */
export const webhookTestBody = z
  .object({
    url: sentText(2048).optional().meta({
      format: "uri",
      description:
        "An address instead of your default one: https on port 443, at a public host. If you have registered hosts, it must be on one of them.",
    }),
  })
  .meta({ id: "WebhookTest" });
