import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lintSource } from "@secretlint/core";
import { creator as recommended } from "@secretlint/secretlint-rule-preset-recommend";
import { newScript, runScript } from "../../infra/tools/script.ts";
import { root } from "./rooms.ts";
import type { Found } from "./secret-search.ts";

// `npm run check:secrets` looks for secrets in every file that git tracks, or would add.

/** Texts that look like secrets, and stay. */
const KEPT: readonly { readonly text: string; readonly why: string }[] = [
  {
    text: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    why: "the key that Microsoft publishes for its storage emulator",
  },
  { text: "whsec_DemoOnlyWebhookSecretOfNpmStart/////////////", why: "the local demo's; Azure refuses it" },
  { text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", why: "the sample of Standard Webhooks" },
  { text: "https://me:hunter2@gateway.example.com", why: "a test: the client refuses such an address" },
  { text: "https://user:word@partner.example.com", why: "a test: webhooks refuse such an address" },
];

/** Secrets of Azure and of this platform, which secretlint's preset does not know. */
const FORMS: Readonly<Record<string, RegExp>> = {
  "an account key of Azure": /(?<![A-Za-z0-9+/]|sha512-)[A-Za-z0-9+/]{86}==/g,
  "a key of Service Bus": /SharedAccessKey=[A-Za-z0-9+/]{43}=/g,
  "a signature of shared access": /\bsig=[A-Za-z0-9%]{43,}(?:%3D|=)/g,
  "a client secret of Entra ID": /(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{31,34}/g,
  "a private key of an elliptic curve": /-----BEGIN (?:EC )?PRIVATE KEY-----\s+M[C-H][A-Za-z0-9+/]{40}/g,
  "a function key": /[\w-]{44}AzFu[\w-]{6,}==/g,
  "a webhook secret": /whsec_[A-Za-z0-9+/]{32,}={0,2}/g,
  "an API or terminal key": /\b[pt]k_[0-9a-z]+_[0-9a-f]{48}\b/g,
};

const config = { rules: [{ id: "preset", rule: recommended }] };

interface Suspect extends Found {
  readonly text: string;
}

async function suspectsIn(content: string): Promise<Suspect[]> {
  const source = { filePath: "file", content, contentType: "text" } as const;
  const { messages } = await lintSource({ source, options: { config } });
  const byPreset = messages.map(({ ruleId, range: [from, to] }) => ({
    kind: ruleId.replace(/.*-rule-/, ""),
    from,
    to,
  }));
  const byForm = Object.entries(FORMS).flatMap(([kind, form]) =>
    [...content.matchAll(form)].map(({ 0: text, index }) => ({ kind, from: index, to: index + text.length })),
  );
  return [...byPreset, ...byForm].map(({ kind, from, to }) => ({
    kind,
    line: content.slice(0, from).split("\n").length,
    text: content.slice(from, to),
  }));
}

/** The secrets in a file's text. `kept` receives the text of each that may stay. */
export async function secretsInFile(content: string, kept = new Set<string>()): Promise<Found[]> {
  return (await suspectsIn(content)).flatMap(({ kind, line, text }) => {
    if (!KEPT.some((one) => one.text === text)) return [{ kind, line }];
    kept.add(text);
    return [];
  });
}

/** Every file that git tracks, or would add. */
export const trackedFiles = (): string[] =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file))); // one that is deleted may still be tracked

export const script = newScript(
  "npm run check:secrets --",
  "Looks for secrets in every file that git tracks, or would add. Exits with 1 if it finds one. It prints no secret.",
).action(async () => {
  const kept = new Set<string>();
  const complaints: string[] = [];
  for (const file of trackedFiles()) {
    const content = readFileSync(join(root, file), "utf8");
    if (content.includes("\0")) continue; // not a text
    for (const { kind, line } of await secretsInFile(content, kept)) complaints.push(`${file}:${line} holds ${kind}`);
  }
  for (const { text, why } of KEPT)
    if (!kept.has(text)) complaints.push(`check-secrets.ts keeps a text that no file holds any more: ${why}`);
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
});

if (import.meta.main) await runScript(script);
