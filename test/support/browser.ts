import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { skippedIf } from "./skipped.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether there is a browser: Debian's chromium, or the browser in `CHROMIUM`. */
export const browserIsPresent = existsSync(executablePath);
export const because = skippedIf(!browserIsPresent, `there is no browser at ${executablePath}`);

/** The name of a server that people on other machines open. It is this machine's in the browser. */
export const PUBLIC_NAME = "sandbox.shop.example";

/** A browser that sends only the requests of its pages. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=MAP ${PUBLIC_NAME} 127.0.0.1`,
    ],
  });
