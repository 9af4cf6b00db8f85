import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { skippedIf } from "./skipped.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether there is a browser: Debian's chromium, or the browser in `CHROMIUM`. */
export const browserIsPresent = existsSync(executablePath);
export const because = skippedIf(!browserIsPresent, `there is no browser at ${executablePath}`);

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
    ],
  });
