import type { Cloud } from "../common/cloud.ts";
import type { Word } from "./words.ts";

type GivenBy<Of extends Word> = NonNullable<Of["given"]>;
/** The values that were read, by the name of each argument and option. Commander converts the names to camel case. */
export type Given<Words extends readonly Word[]> = {
  readonly [Of in Words[number] as GivenBy<Of>["name"]]: GivenBy<Of>["value"];
};

/** One command of the operator: `npm run admin -- [<group>] <name> …`. */
export interface Command<Words extends readonly Word[] = readonly Word[]> {
  readonly name: string;
  /** Its action, as the end of a sentence that begins with the command. */
  readonly does: string;
  /** Its arguments, in order, and its options. */
  readonly words?: Words;
  /** Additional text for the help, such as the meaning of each kind. */
  readonly details?: string;
  /** Whole commands for the help, without `npm run admin --`. */
  readonly examples: readonly string[];
  /** Whether it changes something. If so, `connect` names the cloud on stderr, and records that the command is about to act. */
  readonly writes?: boolean;
  /** Whether these words only preview the change. A preview is not recorded in the trail, and needs no right to write. */
  isPreview?(given: Given<Words>): boolean;
  /** It is not recorded in the trail, because the trail's table may not exist before it runs. */
  readonly isUnrecorded?: boolean;
  /** It waits for a confirmation, so it has the option `--yes`. */
  readonly confirms?: boolean;
  /** How an array is shown to people: as a table, or each element as a record. */
  readonly as?: "table" | "records";
  /** The columns of the table for people. Default: all members of the rows. `--json` always shows all members. */
  readonly columns?: readonly string[];
  /**
   * Runs the command and returns its result, which is shown as JSON with `--json`, otherwise as a table or lines. Throws `UsageError` with
   * one sentence before it connects if words exclude each other. Any other error has one sentence that says what failed.
   */
  run(given: Given<Words>, context: Context): Promise<unknown>;
}

/** Commands about one thing: `npm run admin -- <name> <command> …`. */
export interface Group {
  readonly name: string;
  readonly does: string;
  readonly commands: readonly Command[];
}

/** The functions that a command gets from the program. */
export interface Context {
  /** Finds the cloud, and calls nothing in it. Called after the words were checked. */
  find(): Promise<Cloud>;
  /** Finds the cloud, to act on it: a command that changes something is recorded now. */
  connect(): Promise<Cloud>;
  /** Waits for the operator's confirmation, which `--yes` skips. Throws if the operator declines, or if no terminal is attached. */
  confirm(question: string): Promise<void>;
  /** Writes a line to stderr, for people. */
  note(line: string): void;
  /** The command line as typed, but with this value of the option, quoted for a POSIX shell. */
  again(option: `--${string}`, value: string): string;
}

/** Says how far a walk over terminals and landing pages has come. */
export const progressIn =
  ({ note }: Pick<Context, "note">) =>
  (done: number, all: number): void =>
    note(`${done} of ${all} partitions done.`);

/** A command with the types of its words. A group accepts commands with any words. */
export const command = <Words extends readonly Word[]>(of: Command<Words>): Command => of;
