import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { NamedValues } from "./policy-xml.ts";

/**
 * Reads `named-values.local.json`, the values of the policies on a developer's machine, or production's values. Neither file holds a
 * secret.
 */
export async function readNamedValues(
  directory: string,
  place: "local" | "production" = "local",
): Promise<NamedValues> {
  const text = await readFile(join(directory, `named-values.${place}.json`), "utf8");
  return z.record(z.string(), z.string()).parse(JSON.parse(text));
}
