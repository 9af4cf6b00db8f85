import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How each system opens an address in the user's browser. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * Opens the page in the user's browser whenever the user presses Enter, or types `o` and Enter. Works on a terminal only. Returns a
 * function that ends it.
 */
export function openOnEnter(url: string): () => void {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (/^o?$/i.test(line.trim())) open(url);
  });
  return () => lines.close();
}

function open(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opener.once("error", () => console.error(`No browser could be opened here: the page is at ${url}`));
  opener.unref();
}
