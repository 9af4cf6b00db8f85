import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A value that must not be written anywhere. */
export interface Secret {
  /** A description for the report. The value itself is never repeated. */
  readonly kind: string;
  readonly value: string;
}

/** The place of a found secret. */
export interface Found {
  readonly kind: string;
  /** From 1. */
  readonly line: number;
}

/** Shorter values also occur by chance. */
const SHORTEST = 8;

/** Texts whose form shows that they are secret. */
const forms: readonly { readonly kind: string; readonly form: RegExp; readonly isOne?: (text: string) => boolean }[] = [
  { kind: "a webhook secret", form: /whsec_[\w+/=-]{8,}/g },
  { kind: "an API or terminal key", form: /\b[pt]k_[0-9a-z-]{4,}_[\w+/=-]{8,}/gi },
  { kind: "an e-mail address", form: /[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/gi },
  { kind: "a card number", form: /(?<![\w.-])[2-6](?:[ -]?\d){12,18}(?![\w-])/g, isOne: hasCheckDigit },
];

/** Every secret in a text: known secrets, also in base64, and secrets that their form reveals. */
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

/** The check digit of card numbers, by Luhn's algorithm. */
function hasCheckDigit(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "").split("").map(Number).toReversed();
  const sum = digits.reduce((sum, digit, i) => sum + (i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/**
 * Throws if a log of the folder holds a secret. The error names file, line and kind. Throws also if the app's own log is not in the folder.
 */
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
