import { Argument, CommanderError, Command as Parser, Option } from "commander";
import { cloudOf, type Cloud } from "../operator/cloud.ts";
import type { Command, Context, Group } from "./command.ts";
import { sections } from "./commands.ts";
import type { NamedCloud } from "./find-cloud.ts";
import { recordedRun, type Trail } from "./trail.ts";
import { UsageError, usageSentence } from "../script.ts";
import type { Word } from "./words.ts";

// The commands of commands.ts as a commander program: it reads the words, writes the help, and names what is unknown with a suggestion.

const INVOCATION = "npm run admin --";
const MOST_EXAMPLES = 4;

/** What a command line meets outside of itself. */
export interface World {
  readonly findCloud: (named: NamedCloud) => Promise<Cloud>;
  /** Writes a line to stderr. */
  readonly note: (line: string) => void;
  /** Asks the operator on the terminal; undefined where none is attached. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Stores what a command changes, before it acts; nothing is stored where left out. */
  readonly trail?: Trail | undefined;
  /** The width of the help; 100 where left out. */
  readonly columns?: number | undefined;
}

/** What a command line led to: a help text, or a command's result. */
export type Performed =
  | { readonly help: string }
  | { readonly command: Command; readonly result: unknown; readonly isJson: boolean };

/** Runs the command that the words name. Throws `UsageError` for wrong words, and the error of the command. */
export async function perform(words: readonly string[], world: World): Promise<Performed> {
  let performed: Performed = { help: "" };
  let help = "";
  const program = newProgram(world, (text) => void (help += text));
  const act: Act = async (command, parser) => {
    const options = parser.optsWithGlobals<Typed>();
    const given = givenTo(command, parser.args, options);
    const isRecorded = command.writes && !command.isUnrecorded && options["dryRun"] !== true;
    const action = { command: fullNameOf(parser), about: plainWordsOf(command, parser.args, options) };
    const result = await recordedRun({ ...world, trail: isRecorded ? world.trail : undefined }, action, (begin) =>
      command.run(given, contextOf(command, options, { ...world, begin })),
    );
    performed = { command, result, isJson: options["json"] === true };
  };
  for (const { heading, entries } of sections) {
    program.commandsGroup(`${heading}:`);
    for (const entry of entries) {
      if ("commands" in entry) addGroup(program, entry, act);
      else addCommand(program, entry, act);
    }
  }
  try {
    await program.parseAsync(words, { from: "user" });
    return performed;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.help" || error.code === "commander.helpDisplayed") return { help };
    throw new UsageError(`${usageSentence(error)} See ${helpFor(program, words)}.`, { cause: error });
  }
}

type Act = (command: Command, parser: Parser) => Promise<void>;
/** Options by commander's names: texts, or `true` for an option without a value. */
type Typed = Readonly<Record<string, string | true | undefined>>;

function newProgram({ columns = 100 }: World, write: (text: string) => void): Parser {
  const width = () => columns;
  return new Parser(INVOCATION)
    .description("The operator's commands. They work on the stack that runs here, unless another cloud is named.")
    .option("--json", "print the result as JSON, for scripts")
    .option("--stack <file>", "work on the stack with this stack.json")
    .option("--cloud <name>", "work on this cloud of the clouds file, with your own identity (az login)")
    .option("--clouds <file>", "the clouds file, instead of clouds.json")
    .addHelpText(
      "after",
      examplesText(["setup", "partner create --name Kassabolaget", "alert list", "payment list --overdue --json"]),
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {}, getOutHelpWidth: width })
    .configureOutput({ getErrHelpWidth: width })
    .exitOverride();
}

function addGroup(program: Parser, { name, does, commands }: Group, act: Act): void {
  const parser = program.command(name).description(does);
  for (const command of commands) addCommand(parser, command, act);
  const examples = commands.flatMap((command) => command.examples.slice(0, 1)).slice(0, MOST_EXAMPLES);
  parser.addHelpText("after", examplesText(examples));
}

function addCommand(parent: Parser, command: Command, act: Act): void {
  const { name, does, args = {}, options = {}, details, examples, confirms } = command;
  const parser = parent.command(name).description(does);
  for (const [arg, { means, isRequired }] of Object.entries(args))
    parser.addArgument(new Argument(isRequired ? `<${arg}>` : `[${arg}]`, means));
  for (const [option, word] of Object.entries(options)) parser.addOption(optionOf(option, word));
  if (confirms) parser.option("--yes", "do it without a confirmation");
  if (details !== undefined) parser.addHelpText("after", `\n${details}`);
  parser.addHelpText("after", examplesText(examples)).action(() => act(command, parser));
}

function optionOf(name: string, { value, means, isRequired, standard }: Word<unknown>): Option {
  const absent = standard === undefined ? "" : ` (${standard} where left out)`;
  const help = `${means}${isRequired ? " (required)" : absent}`;
  if (value === undefined) return new Option(`--${name}`, help);
  const once = (typed: string, before: string | undefined) => {
    if (before !== undefined) throw new UsageError(`--${name} is there twice.`);
    return typed;
  };
  return new Option(`--${name} <${value}>`, help).makeOptionMandatory(isRequired).argParser(once);
}

const examplesText = (examples: readonly string[]): string =>
  ["\nExamples:", ...examples.map((example) => `  ${INVOCATION} ${example}`)].join("\n");

/** What was typed for each word of a command, with the name that errors have for it. */
function typedFor({ args = {}, options = {} }: Command, typed: readonly string[], named: Typed) {
  return [
    ...Object.entries(args).map(([name, word], i) => ({ name, word, typed: typed[i], shown: `<${name}>` })),
    ...Object.entries(options).map(([name, word]) => {
      const typed = named[new Option(`--${name}`).attributeName()];
      return { name, word, typed, shown: `--${name}` };
    }),
  ];
}

/** What was typed and may be stored. */
const plainWordsOf = (...of: Parameters<typeof typedFor>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    typedFor(...of).flatMap(({ name, word, typed }) =>
      word.isPlain && typed !== undefined ? [[name, typed === true ? "yes" : typed] as const] : [],
    ),
  );

const fullNameOf = (parser: Parser): string =>
  [parser.parent, parser].flatMap((one) => (one?.parent ? [one.name()] : [])).join(" ");

/** Reads the words of a command. Throws `UsageError`. */
function givenTo(...of: Parameters<typeof typedFor>) {
  const read = ({ value, standard, read }: Word<unknown>, text: string | true | undefined, name: string): unknown => {
    const found = text ?? standard;
    if (found === undefined) return value === undefined ? false : undefined;
    return read(found === true ? "" : found, name);
  };
  return Object.fromEntries(typedFor(...of).map(({ name, word, typed, shown }) => [name, read(word, typed, shown)]));
}

function contextOf(
  command: Command,
  { yes, stack, cloud, clouds }: Typed,
  world: World & { readonly begin: (cloud: Cloud) => Promise<void> },
): Context {
  const text = (typed: string | true | undefined) => (typed === true ? undefined : typed);
  return {
    async connect() {
      const found = await world.findCloud({ stack: text(stack), cloud: text(cloud), clouds: text(clouds) });
      if (command.writes) world.note(`On ${cloudOf(found)}.`);
      await world.begin(found);
      return found;
    },
    async confirm(question) {
      if (yes === true) return;
      const instead = command.options?.["dry-run"] ? ", or --dry-run to see what it would do" : "";
      if (!world.ask) throw new Error(`No terminal is attached for the confirmation: say --yes${instead}.`);
      if (!(await world.ask(question))) throw new Error("Nothing was changed.");
    },
    note: world.note,
  };
}

function helpFor(program: Parser, words: readonly string[]): string {
  let [parser, path] = [program, INVOCATION];
  for (const word of words) {
    const next = parser.commands.find((command) => command.name() === word);
    if (!next) break;
    [parser, path] = [next, `${path} ${word}`];
  }
  return `${path} --help`;
}
