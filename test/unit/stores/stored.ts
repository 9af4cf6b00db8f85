import type * as z from "zod";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";

/** The record as it is read back from its row. */
export const stored = (record: unknown, schema: z.ZodType): unknown =>
  fromRow({ partitionKey: "p", rowKey: "r", etag: "e", columns: toColumns(record) }, schema);
