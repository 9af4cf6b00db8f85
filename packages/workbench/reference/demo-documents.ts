import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sampleIds, sampleProblemPages } from "../../../infra/documents/openapi/samples/sample-ids.ts";
import type { StackFile } from "../stack/stack-file.ts";

// The published documents, with the running demo's identifiers and keys instead of the samples.

export const apis = ["partners", "consumer", "terminals"] as const;
export type Api = (typeof apis)[number];

/** Identifiers by the sample that they replace. */
export type DemoIds = Readonly<Partial<Record<keyof typeof sampleIds, string>>>;

const documents = fileURLToPath(new URL("../../../docs/openapi/", import.meta.url));

/** A document as it is published. If the reference is served, its problems name the reference's problem page. */
export async function publishedDocument(api: Api, referenceUrl?: string): Promise<string> {
  const text = await readFile(`${documents}${api}.json`, "utf8");
  return referenceUrl === undefined
    ? text
    : text.replaceAll(sampleProblemPages, new URL("problems", referenceUrl).href);
}

/** The identifiers that the demo has from its start, for an API. */
export const demoIds = (api: Api, { demo }: StackFile): DemoIds => ({
  merchantID: demo.merchantID,
  pointOfServiceID: demo.terminals[api === "terminals" ? "silent" : "autopilot"].pointOfServiceID,
  productID: demo.consumer.productID,
  templateAccessTokenID: demo.consumer.templateAccessTokenID,
});

/** Replaces the samples in the text with these identifiers. Every other sample gets a new identifier. */
export const withIds = (text: string, ids: DemoIds): string =>
  Object.entries(sampleIds).reduce(
    (filled, [name, sample]) => filled.replaceAll(sample, ids[name as keyof typeof sampleIds] ?? randomUUID()),
    text,
  );

/**
 * The demo's keys, by the security schemes of the documents. The terminal key belongs to the silent terminal, because the other terminals
 * are already played.
 */
export const demoKeys = ({ demo }: StackFile) => ({
  apikey: demo.apikey,
  subscriptionKey: demo.subscriptionKey,
  functionKey: demo.consumer.functionKeys["landing-page-request"], // the same for both functions
  terminalKey: demo.terminals.silent.terminalKey,
});
