import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { NamedValues } from "./policy-xml.ts";

/**
 * Reads the named values for a developer's machine (`named-values.local.json`) or for production. Neither file contains a secret.
 */
export async function readNamedValues(
  directory: string,
  place: "local" | "production" = "local",
): Promise<NamedValues> {
  const text = await readFile(join(directory, `named-values.${place}.json`), "utf8");
  return z.record(z.string(), z.string()).parse(JSON.parse(text));
}
