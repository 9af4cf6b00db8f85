import { glob, readFile } from "node:fs/promises";
import { apis } from "./openapi/apis.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { ApiName } from "../../shared/edge/auth/authenticate.ts";

// Every text that partners, terminal makers and operators read and that lives in code, for a person who reads them in one sitting.

const root = new URL("../../", import.meta.url);

/** The code whose sentences reach screens, responses, alerts, logs and mails. */
const SOURCES = [
  ["Rules and refusals", "shared/{domain,use-cases,contracts,edge,ports}/**/*.ts"],
  ["Commands of operators", "infra/operator/**/*.ts"],
  ["The kit for terminals", "packages/terminal/**/*.ts"],
  ["Problem page", "infra/documents/problems/**/*.ts"],
  ["Alerts of Azure Monitor", "infra/azure/**/alerts*.{ts,json}"],
  ["Commands and pages of developers", "{infra/tools,packages/workbench}/**/*.{ts,tsx}"],
] as const;

/** All texts as one Markdown page. Texts of a document come with their operation or schema; sentences of code come with their file. */
export async function allTexts(): Promise<string> {
  const documents = (Object.keys(apis) as ApiName[]).map(documentTexts);
  const sources = await Promise.all(SOURCES.map(async ([title, files]) => [title, await sourceTexts(files)] as const));
  return ["# Texts", ...documents, ...sources.map(([title, texts]) => `# ${title}\n\n${texts}`)].join("\n\n");
}

/** The descriptions and summaries of an API's document. */
function documentTexts(api: ApiName): string {
  const document = openApiDocument(api, "3.1.1") as unknown as {
    readonly info: unknown;
    readonly paths: Readonly<Record<string, unknown>>;
    readonly webhooks?: Readonly<Record<string, unknown>>;
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  const parts = { info: document.info, ...document.paths, ...document.webhooks, ...document.components.schemas };
  const seen = new Set<string>();
  return [
    `# The ${api} API`,
    ...Object.entries(parts).flatMap(([name, part]) => {
      const texts = [...new Set(describedIn(part))].filter((text) => !seen.has(text));
      for (const text of texts) seen.add(text);
      return texts.length === 0 ? [] : [`## ${name}`, ...texts];
    }),
  ].join("\n\n");
}

function describedIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: readonly [string, unknown]) =>
    (name === "description" || name === "summary") && typeof member === "string" ? [member] : describedIn(member),
  );
}

const LEAST_WORDS = 3;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** A text in quotes or backquotes, or between two tags of a page. */
const TEXT = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(?<=>)\s*([^<>{};=]+?)\s*(?=<|\{)/g;

/** The sentences in the files of a pattern. Names, paths and other texts of fewer than three words are left out. */
async function sourceTexts(pattern: string): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: root, exclude: ["**/*.test.ts", "**/test/**", "**/dist/**"] }))
    files.push(file);
  const parts = await Promise.all(
    files.toSorted().map(async (file) => {
      const source = (await readFile(new URL(file.replaceAll("\\", "/"), root), "utf8")).replaceAll(COMMENT, "");
      const texts = [...source.matchAll(TEXT)]
        .map(([, quoted, template, between]) => (quoted ?? template ?? between ?? "").replaceAll(/\s+/g, " ").trim())
        .filter((text) => /^[\w"'<([{$*]/.test(text) && (text.match(/\p{L}{2,}/gu) ?? []).length >= LEAST_WORDS)
        .filter((text) => / \p{L}/u.test(text) && !/^(?:import|const|return) |=>|^\/|\\[ds(]/.test(text));
      return texts.length === 0 ? [] : [`## ${file}`, ...new Set(texts.map((text) => `- ${text}`))];
    }),
  );
  return parts.flat().join("\n\n");
}
