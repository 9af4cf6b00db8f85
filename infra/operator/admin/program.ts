import { Argument, CommanderError, type Option, type Command as Parser } from "commander";
import { cloudOf, type Cloud } from "../common/cloud.ts";
import type { Command, Context, Group } from "./command.ts";
import { typedAgain } from "./typed-again.ts";
import { sections } from "./commands.ts";
import type { NamedCloud } from "./find-cloud.ts";
import { recordedRun, type Trail } from "./trail.ts";
import { examplesText, newScript, UsageError, usageSentence } from "../../tools/script.ts";
import { invocation, takenByNpm } from "../../tools/typed-command.ts";

// Builds a commander program from commands.ts. It reads the words, writes the help, and suggests a name for an unknown word.

const INVOCATION = invocation("admin");
const MOST_EXAMPLES = 4;

/** The functions and settings that a command line gets from its environment. */
export interface World {
  readonly findCloud: (named: NamedCloud) => Promise<Cloud>;
  /** Writes a line to stderr. */
  readonly note: (line: string) => void;
  /** Asks the operator on the terminal. Undefined if no terminal is attached. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Records a command that changes something, before it acts. If it is left out, nothing is recorded. */
  readonly trail?: Trail | undefined;
  /** The width of the help. Default: 100. */
  readonly columns?: number | undefined;
}

/** The outcome of a command line: a help text, or a command's result. */
export type Performed =
  | { readonly help: string }
  | { readonly command: Command; readonly result: unknown; readonly isJson: boolean };

/** Runs the command that the words name. Throws `UsageError` for wrong words, and any error of the command. */
export async function perform(words: readonly string[], world: World): Promise<Performed> {
  let performed: Performed = { help: "" };
  let help = "";
  const program = newProgram(world, (text) => void (help += text));
  const act: Act = async (command, parser, about) => {
    const options = parser.optsWithGlobals<Shared>();
    const given = { ...byArgument(parser, parser.processedArgs), ...parser.opts() };
    const isPreview = options.dryRun === true || command.isPreview?.(given) === true;
    const isRecorded = command.writes && !command.isUnrecorded && !isPreview;
    const action = { command: fullNameOf(parser), about };
    const result = await recordedRun({ ...world, trail: isRecorded ? world.trail : undefined }, action, (begin) =>
      command.run(given, contextOf(command, options, { ...world, begin, words })),
    );
    performed = { command, result, isJson: options.json === true };
  };
  for (const { heading, entries } of sections) {
    program.commandsGroup(`${heading}:`);
    for (const entry of entries) {
      if ("commands" in entry) addGroup(program, entry, act);
      else addCommand(program, entry, act);
    }
  }
  const taken = takenByNpm(program, words);
  if (taken !== undefined) throw new UsageError(taken);
  try {
    await program.parseAsync(words, { from: "user" });
    return performed;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.help" || error.code === "commander.helpDisplayed") return { help };
    throw new UsageError(`${usageSentence(error)} See ${helpFor(program, words)}.`, { cause: error });
  }
}

/** Runs a command. `about` contains the typed values that may be recorded. */
type Act = (command: Command, parser: Parser, about: Readonly<Record<string, string>>) => Promise<void>;
/** The options of every command, and two that only some have. */
type Shared = NamedCloud & Readonly<Partial<Record<"json" | "yes" | "dryRun", boolean>>>;

function newProgram({ columns = 100 }: World, write: (text: string) => void): Parser {
  const width = () => columns;
  return newScript(
    INVOCATION,
    "The operator's commands. They work on the stack that runs here, unless another cloud is named.",
    ["setup", "partner create --name Kassabolaget", "alert list", "payment list --overdue --json"].map(whole),
  )
    .option("--json", "print the result as JSON, for scripts")
    .option("--stack <file>", "work on the stack with this stack.json")
    .option("--cloud <name>", "work on this cloud of the clouds file, with your own identity (az login)")
    .option("--clouds <file>", "the clouds file, instead of clouds.json")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: write, writeErr: write, getOutHelpWidth: width, getErrHelpWidth: width });
}

const whole = (example: string): string => `${INVOCATION} ${example}`;

function addGroup(program: Parser, { name, does, commands }: Group, act: Act): void {
  const parser = program.command(name).description(does);
  for (const command of commands) addCommand(parser, command, act);
  const examples = commands.flatMap((command) => command.examples.slice(0, 1)).slice(0, MOST_EXAMPLES);
  parser.addHelpText("after", examplesText(examples.map(whole)));
}

function addCommand(parent: Parser, command: Command, act: Act): void {
  const { name, does, words = [], details, examples, confirms } = command;
  const parser = parent.command(name).description(does);
  const typed: Record<string, string> = {};
  for (const word of words) {
    if (word instanceof Argument) parser.addArgument(word);
    else addOption(parser, word, typed);
  }
  if (confirms) parser.option("--yes", "act without a confirmation");
  if (details !== undefined) parser.addHelpText("after", `\n${details}`);
  parser.addHelpText("after", examplesText(examples.map(whole))).action(() => {
    const all = Object.entries({ ...byArgument(parser, parser.args), ...typed });
    const plain = words.flatMap((word) => (word.isPlain ? [word.name()] : []));
    return act(command, parser, Object.fromEntries(all.filter(([name]) => plain.includes(name))));
  });
}

/** Adds an option that may be typed once. `typed` collects the text before it is read. */
function addOption(parser: Parser, option: Option, typed: Record<string, string>): void {
  const name = option.name();
  parser.on(`option:${name}`, (text: string | undefined) => {
    if (text !== undefined && name in typed) throw new UsageError(`--${name} is given twice.`);
    typed[name] = text ?? "yes";
  });
  parser.addOption(option);
  if (option.isBoolean()) parser.setOptionValueWithSource(option.attributeName(), false, "default");
}

/** The text, or the value that was read, by the name of each argument. */
const byArgument = <Value>({ registeredArguments }: Parser, values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(values.map((value, i) => [registeredArguments[i]?.name() ?? "", value]));

const fullNameOf = (parser: Parser): string =>
  [parser.parent, parser].flatMap((one) => (one?.parent ? [one.name()] : [])).join(" ");

function contextOf(
  command: Command,
  { yes, stack, cloud, clouds }: Shared,
  world: World & { readonly begin: (cloud: Cloud) => Promise<void>; readonly words: readonly string[] },
): Context {
  let named: Promise<Cloud> | undefined;
  const look = async () => {
    const found = await world.findCloud({ stack, cloud, clouds });
    if (command.writes) world.note(`On ${cloudOf(found)}.`);
    return found;
  };
  const find = () => (named ??= look());
  return {
    find,
    async connect() {
      const found = await find();
      await world.begin(found);
      return found;
    },
    async confirm(question) {
      if (yes) return;
      const instead = command.words?.some((word) => word.name() === "dry-run")
        ? ", or --dry-run to see what it would do"
        : "";
      if (!world.ask) throw new Error(`There is no terminal for the confirmation: use --yes${instead}.`);
      if (!(await world.ask(question))) throw new Error("Nothing was changed.");
    },
    note: world.note,
    again: (option, value) => whole(typedAgain(world.words, option, value)),
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
