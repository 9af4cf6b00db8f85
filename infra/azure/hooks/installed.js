// Plain JavaScript that any Node parses, without packages. npm runs it before `azure:secrets`, which may be the first script run in a
// clone.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
// npm writes this file after it has installed everything.
if (!existsSync(`${root}node_modules/.package-lock.json`)) {
  const { status, error } = spawnSync("npm", ["ci", "--ignore-scripts"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) console.error(`npm could not be started: ${error.message}`);
  process.exitCode = status ?? 1;
}
