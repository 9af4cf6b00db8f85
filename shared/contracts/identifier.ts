import { z } from "zod";
import { isIdentifier } from "../domain/identifier.ts";

/** Identifiers look like UUIDs, of any version; two spellings in upper and lower case are one. (Decision 1) */
export const identifier = z.string().refine(isIdentifier, "must look like a UUID").meta({ format: "uuid" });

/** How an identifier is compared and stored; the caller's spelling is kept beside it for answers. */
export const canonical = (spelled: string): string => spelled.toLowerCase();
