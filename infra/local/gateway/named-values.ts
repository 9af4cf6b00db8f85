import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { NamedValues } from "./policy-xml.ts";

/** Reads `named-values.local.json`, what the policies are given on a developer's machine, or what production gives them. It holds no secret. */
export async function readNamedValues(
  directory: string,
  place: "local" | "production" = "local",
): Promise<NamedValues> {
  const text = await readFile(join(directory, `named-values.${place}.json`), "utf8");
  return z.record(z.string(), z.string()).parse(JSON.parse(text));
}
