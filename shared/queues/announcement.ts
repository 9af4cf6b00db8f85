import { z } from "zod";
import type { Announcement } from "../ports/announcements.ts";

/** A queue message, as it is read back by a worker. */
export const announcementBody: z.ZodType<Announcement> = z.object({
  v: z.literal(1),
  subject: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("payment"), partnerId: z.string(), sessionId: z.string() }),
    z.object({ kind: z.literal("actionRequest"), partnerId: z.string(), actionRequestId: z.string() }),
    z.object({
      kind: z.literal("tokenRequest"),
      landingPageId: z.string(),
      requestId: z.string(),
      createdAt: z.string(),
    }),
  ]),
  commandId: z.string(),
  effect: z.string(),
  first: z.string().optional(),
  looks: z.int().optional(),
  tries: z.int().optional(),
  attempt: z.int().optional(),
  replay: z.literal(true).optional(),
  traceparent: z.string().optional(),
});
