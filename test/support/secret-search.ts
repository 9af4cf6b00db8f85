import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A value that nothing may write down. */
export interface Secret {
  /** What it is, for the report; the value itself is never repeated. */
  readonly kind: string;
  readonly value: string;
}

/** Where a secret was found. */
export interface Found {
  readonly kind: string;
  /** From 1. */
  readonly line: number;
}

/** Shorter values are also found by chance. */
const SHORTEST = 8;

/** What is secret by its form, whoever made it. */
const forms: readonly { readonly kind: string; readonly form: RegExp; readonly isOne?: (text: string) => boolean }[] = [
  { kind: "a webhook secret", form: /whsec_[\w+/=-]{8,}/g },
  { kind: "an API or terminal key", form: /\b[pt]k_[0-9a-z-]{4,}_[\w+/=-]{8,}/gi },
  { kind: "an e-mail address", form: /[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/gi },
  { kind: "a card number", form: /(?<![\w.-])[2-6](?:[ -]?\d){12,18}(?![\w-])/g, isOne: hasCheckDigit },
];

/** Every secret in a text: those that are known, and those that show by their form. Base64 of a known one is found, too. */
export function findSecrets(text: string, known: readonly Secret[]): Found[] {
  const values = known
    .filter(({ value }) => value.length >= SHORTEST)
    .flatMap(({ kind, value }) => [
      { kind, value },
      { kind: `${kind}, in base64`, value: Buffer.from(value).toString("base64").replace(/=+$/, "") },
      ...(encodeURIComponent(value) === value ? [] : [{ kind: `${kind}, in a URL`, value: encodeURIComponent(value) }]),
    ]);
  return text.split("\n").flatMap((line, i) => {
    const kinds = [
      ...values.filter(({ value }) => line.includes(value)).map(({ kind }) => kind),
      ...forms
        .filter(({ form, isOne = () => true }) => [...line.matchAll(form)].some(([one]) => isOne(one)))
        .map(({ kind }) => kind),
    ];
    return [...new Set(kinds)].map((kind) => ({ kind, line: i + 1 }));
  });
}

/** The check digit of card numbers: Luhn's. */
function hasCheckDigit(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "").split("").map(Number).toReversed();
  const sum = digits.reduce((sum, digit, i) => sum + (i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/** Throws where a log of the folder holds a secret: names file, line and kind. Throws too where the app's own log is not among them. */
export async function searchLogs(folder: string, known: readonly Secret[]): Promise<void> {
  const complaints: string[] = [];
  let isTheAppsThere = false;
  for (const file of await readdir(folder)) {
    const text = await readFile(join(folder, file), "utf8");
    isTheAppsThere ||= text.includes('{"event":"');
    for (const { kind, line } of findSecrets(text, known)) complaints.push(`${file}:${line} holds ${kind}`);
  }
  if (!isTheAppsThere) throw new Error(`the logs in ${folder} hold no line of the app`);
  if (complaints.length > 0) throw new Error(`secrets in the logs:\n${complaints.slice(0, 20).join("\n")}`);
}

/** The values of a record at any depth, each named by its path. */
export const secretsIn = (path: string, value: unknown): Secret[] => {
  if (typeof value === "string") return [{ kind: path, value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => secretsIn(`${path}.${name}`, part));
};
