import { createRequire } from "node:module";
import type { Command as Script } from "commander";
import { givenWords, isPacked, sandboxWords } from "./packed.ts";

// The commands that messages tell a user to type.

/** The word, quoted for a POSIX shell if it needs that. */
export const quoted = (word: string): string =>
  /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The beginning of a command with words: `npm run try --`, or `npx` with the sandbox and `try`. */
export function invocation(name: string): string {
  if (isPacked) return `${sandboxWords} ${name}`;
  return name === "start" ? "npm start --" : `npm run ${name} --`;
}

/** A command as a user types it, such as `npm run try -- 20`. */
export const typed = (name: string, words = ""): string =>
  words === "" ? invocation(name).replace(/ --$/, "") : `${invocation(name)} ${words}`;

/** The commands that the sandbox has, in a text for people who have a clone. */
const ofSandbox = /npm run (try|webhooks|logs|admin|terminal-kit)\b(?: --(?= ))?/g;

/** A text for people who have a clone, with the commands of the sandbox. */
export const inSandbox = (text: string): string => text.replaceAll(ofSandbox, `${sandboxWords} $1`);

/** A text for people who have a clone, with the commands as the user types them here. */
export const asTyped = (text: string): string => (isPacked ? inSandbox(text) : text);

/** What the user typed, followed by more words. Without npm it is these words alone. */
export function typedWith(words: readonly string[]): string {
  const name = isPacked ? process.argv[2] : process.env["npm_lifecycle_event"];
  if (name === undefined) return words.map(quoted).join(" ");
  return [invocation(name), ...[...givenWords(), ...words].map(quoted)].join(" ");
}

type Option = Script["options"][number];
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tells the user that npm took options of the script for itself, because they were typed without `--` before them. npm puts these into the
 * environment. Undefined if there are none. Names that npm defines itself do not count, because the user may have set them for npm.
 */
export function takenByNpm(script: Script, words: readonly string[], env: Environment = process.env) {
  const given = optionsOf(script).filter((option) => isGiven(option, env));
  const own = given.length === 0 ? undefined : namesOfNpm(env["npm_execpath"] ?? "");
  const taken = own === undefined ? [] : given.filter(({ long }) => !own.has(nameOf(long)));
  if (taken.length === 0) return undefined;
  const left = [...words];
  const typed = taken.map((option) => typedAgain(option, env, (isValue) => lastOut(left, isValue), script));
  const names = taken.map(({ long }) => long).join(" and ");
  return `npm took ${names} for itself. Type: ${[script.name(), ...left.map(quoted), ...typed].join(" ")}`;
}

/** The options of the script and of its commands, one for each name. */
const optionsOf = (script: Script): readonly Option[] => [
  ...new Map(
    [script, ...script.commands, ...script.commands.flatMap(({ commands }) => commands)]
      .flatMap(({ options }) => options)
      .map((option) => [option.long, option]),
  ).values(),
];

const nameOf = (long: string | undefined): string => (long ?? "").replace(/^--(?:no-)?/, "");
const valueIn = ({ long }: Option, env: Environment): string | undefined =>
  env[`npm_config_${nameOf(long).replaceAll("-", "_")}`];

/** npm has `--no-open` as an empty `open`. */
const isGiven = (option: Option, env: Environment): boolean => {
  const value = valueIn(option, env);
  return option.negate ? value === "" : value !== undefined && value !== "";
};

/** The names of npm's own options, from the npm that runs. Undefined if it does not tell: then no name is certain. */
function namesOfNpm(npm: string): ReadonlySet<string> | undefined {
  try {
    const { definitions } = createRequire(npm)("@npmcli/config/lib/definitions") as { readonly definitions: object };
    return new Set(Object.keys(definitions));
  } catch {
    return undefined; // another package manager
  }
}

/** The option as it was typed. npm passes a value that was typed after a space as one of the script's words. */
function typedAgain(
  option: Option,
  env: Environment,
  take: (isValue: (word: string) => boolean) => string | undefined,
  { registeredArguments }: Script,
): string {
  const { long = "", flags } = option;
  const value = valueIn(option, env) ?? "";
  if (option.isBoolean() || option.negate) return long;
  if (value !== "true") return `${long} ${quoted(value)}`;
  const word = take((word) => accepts(option, word) && !registeredArguments.some((one) => accepts(one, word)));
  if (word !== undefined) return `${long} ${quoted(word)}`;
  return option.optional ? long : `${long} ${flags.split(" ").at(-1)}`;
}

function accepts({ parseArg }: Pick<Option, "parseArg">, word: string): boolean {
  try {
    parseArg?.(word, undefined);
    return true;
  } catch {
    return false;
  }
}

/** Removes and returns the last word with this property. */
function lastOut(words: string[], hasIt: (word: string) => boolean): string | undefined {
  const at = words.findLastIndex(hasIt);
  return at < 0 ? undefined : words.splice(at, 1)[0];
}
