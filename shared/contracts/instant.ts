import { z } from "zod";

/** A moment in UTC, as answers write it: `2026-11-21T10:30:00.000Z`. */
export const instant = z.string().meta({ format: "date-time" });
