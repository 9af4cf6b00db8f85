import * as z from "zod";
import { isIdentifier } from "../domain/identifier.ts";

/** Identifiers look like UUIDs of any version. Upper and lower case are equal. (API behaviour 1) */
export const identifier = z.string().refine(isIdentifier, "must look like a UUID").meta({ format: "uuid" });

/** The form in which an identifier is compared and stored. The received form is also kept, for responses. */
export const canonical = (received: string): string => received.toLowerCase();
