import { writeFile } from "node:fs/promises";
import { requestFiles } from "./files.ts";

/** Writes the sample requests. A test keeps them current. */
export async function writeRequests(): Promise<void> {
  const folder = new URL("../../../docs/requests/", import.meta.url);
  for (const [name, text] of Object.entries(await requestFiles())) await writeFile(new URL(name, folder), text);
}
