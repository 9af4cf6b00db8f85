import * as z from "zod";

/** An amount in a record: integer minor units of the currency in the same record. */
export const minorUnits = z.int();
