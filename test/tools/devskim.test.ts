import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { trackedFiles } from "../support/check-secrets.ts";
import { root } from "../support/rooms.ts";
import { skippedIf } from "../support/skipped.ts";

/** Rules that say nothing about this code. */
const IGNORED: Readonly<Record<string, string>> = {
  DS162092: "it reports each address of this machine, on which the local cloud runs",
  DS172411: "it reports each timer; the linter refuses one that gets a text to evaluate",
};

/** The findings that stay: rule and file. */
const KEPT: Readonly<Record<string, string>> = {
  "DS137138 packages/local-azure/azurite/call-target.ts": "the base of a path that is parsed; nothing is called",
  "DS137138 packages/local-azure/functions-host/request-head.ts": "the host of the local cloud has no TLS",
  "DS137138 packages/terminal/kit/platform.ts": "the base of a path that is parsed; nothing is called",
  "DS137138 packages/workbench/live/page-requests.ts": "the live page of the local cloud has no TLS",
  "DS137138 packages/workbench/start.ts": "an address in a message about a wrong one",
  "DS137138 packages/workbench/start/landing-page.ts": "the sample landing page of the local cloud has no TLS",
  "DS137138 shared/adapters/mails/generated/token-mail-html.ts": "the name of an XML namespace",
  "DS197836 examples/python/receive.py": "the signature of Standard Webhooks covers a time; its key is random",
  "DS197836 infra/documents/openapi/webhooks.ts": "a text about that signature",
  "DS440001 infra/azure/modules/storage.bicep": "the oldest TLS that a storage account accepts; it accepts 1.3 too",
  "DS610001 packages/local-azure/gateway/call.ts": "the name of a header; no cookie is made",
};

const devskim = join(root, "node_modules/.cache/devskim/devskim");
const isHere = existsSync(devskim);

it.skipIf(!isHere)(
  `DevSkim finds nothing in the product but what is listed, and finds a weak hash${skippedIf(!isHere, "DevSkim is not in node_modules/.cache")}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "devskim-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const product = trackedFiles().filter((file) =>
      /^(?:clients|examples|functions|infra|packages|shared)\/(?!.*\btest\/)/.test(file),
    );
    for (const file of product) await cp(join(root, file), join(folder, file));
    await writeFile(join(folder, "shared/weak.ts"), 'const hash = createHash("md5");\n');
    const form = ["--file-format", "text", "--output-format", "%R %F", "--disable-console"];
    const words = ["analyze", "-I", folder, ...form, "--ignore-rule-ids", Object.keys(IGNORED).join(",")];
    const { stdout } = await promisify(execFile)(devskim, words, {
      env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" },
    });
    const found = stdout.split("\n").filter((line) => /^DS\d+ /.test(line));
    const weak = found.filter((line) => line.endsWith(" shared/weak.ts"));
    expect(weak.length).toBeGreaterThan(0);
    expect(found.filter((line) => !weak.includes(line)).toSorted()).toEqual(Object.keys(KEPT));
  },
);
