import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the partners' client is generated from the current document (else: npm run openapi)", async () => {
  const folder = fileURLToPath(new URL("../../../clients/partners", import.meta.url));
  const options = { cwd: folder, shell: process.platform === "win32" }; // npm is a script there
  const checked = promisify(execFile)("npm", ["run", "--silent", "generate", "--", "--check"], options);
  await expect(checked).resolves.toBeDefined();
});
