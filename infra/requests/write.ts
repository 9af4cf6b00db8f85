import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { requestFiles } from "./files.ts";

/** Writes the requests to paste; a test keeps them current. */
export async function writeRequests(): Promise<void> {
  const folder = new URL("../../docs/requests/", import.meta.url);
  await rm(new URL("bruno/", folder), { recursive: true, force: true }); // a request may have another name now
  for (const [path, text] of Object.entries(await requestFiles())) {
    const file = new URL(path, folder);
    await mkdir(new URL(`${dirname(path)}/`, folder), { recursive: true });
    await writeFile(file, text);
  }
}
