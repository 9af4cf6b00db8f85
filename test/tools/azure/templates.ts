import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withSlashes } from "../../support/rooms.ts";

// Reads the templates as text: enough to say what is declared, without a compiler of Bicep.

/** A declaration at the left margin, with everything up to the next one. */
interface Declaration {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

const begins = /^(?:resource|module|param|var|output|type|func|import|@|#|\/\/)/;

/** The declarations of a file. What stands above one (a comment, a decorator) belongs to none. */
export function declarationsOf(file: string, text: string): Declaration[] {
  const found: { file: string; kind: string; name: string; text: string }[] = [];
  let last: (typeof found)[number] | undefined;
  for (const line of text.split("\n")) {
    const [, kind, name] = /^(resource|module|param|var|output|type|func) (\w+)/.exec(line) ?? [];
    if (begins.test(line)) last = undefined;
    if (kind !== undefined && name !== undefined) found.push((last = { file, kind, name, text: "" }));
    if (last) last.text += `${line}\n`;
  }
  return found;
}

/** The templates of a folder that is like the repository. */
export class Templates {
  readonly root: string;
  /** Text by path from `infra/azure`. */
  readonly files: ReadonlyMap<string, string>;

  constructor(root: string) {
    this.root = root;
    const folder = join(root, "infra/azure");
    this.files = new Map(
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map(withSlashes)
        // A deployment from this clone has left a copy of its environment's parameters, which may be an old one.
        .filter((file) => /\.bicep(param)?$/.test(file) && file !== "main.bicepparam")
        .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
    );
  }

  /** The text of a file. Throws where it is not there. */
  text(file: string): string {
    const text = this.files.get(file);
    if (text === undefined) throw new Error(`there is no infra/azure/${file}`);
    return text;
  }

  /** The text of a declaration; empty where it is not there. */
  declared(file: string, name: string): string {
    return declarationsOf(file, this.text(file)).find((one) => one.name === name)?.text ?? "";
  }

  get declarations(): Declaration[] {
    return [...this.files].flatMap(([file, text]) => declarationsOf(file, text));
  }

  /** `generated/platform.json`. */
  get platform(): Platform {
    return JSON.parse(this.beside("infra/azure/generated/platform.json")) as Platform;
  }

  /** The text of another file, by its path from the root. */
  beside(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }
}

/** Of `generated/platform.json`, what the checks read. */
interface Platform {
  readonly queues: readonly { readonly name: string; readonly properties: Readonly<Record<string, unknown>> }[];
  readonly hostSettings: Readonly<Record<string, string>>;
  readonly secretSettings: readonly { readonly setting: string; readonly secret: string }[];
  readonly limits: readonly { readonly name: string; readonly value: string }[];
  readonly secretNamedValues: readonly { readonly name: string; readonly secret?: string }[];
}

/** What must hold of the templates: nothing is found, or a sentence for each place where it does not hold. */
export interface Check {
  readonly name: string;
  readonly find: (templates: Templates) => readonly string[] | Promise<readonly string[]>;
}

/** The words that a text lacks, each with where it should be. */
export const lacking = (place: string, text: string, words: readonly string[]): string[] =>
  words.filter((word) => !text.includes(word)).map((word) => `${place} lacks ${word}`);

/** What only one of two sets has. */
export function differing(what: string, one: readonly string[], other: readonly string[]): string[] {
  const [a, b] = [new Set(one), new Set(other)];
  return [
    ...[...a].filter((name) => !b.has(name)).map((name) => `${what}: ${name} is not in the second`),
    ...[...b].filter((name) => !a.has(name)).map((name) => `${what}: ${name} is not in the first`),
  ];
}
