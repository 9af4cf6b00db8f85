import { z } from "zod";

/** Identifiers look like UUIDs, of any version; two spellings in upper and lower case are one. (Decision 1) */
export const identifier = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must look like a UUID");

/** How an identifier is compared and stored; the caller's spelling is kept beside it for answers. */
export const canonical = (spelled: string): string => spelled.toLowerCase();
