import type { Cloud } from "../common/cloud.ts";
import type { Word } from "./words.ts";

type GivenBy<Of extends Word> = NonNullable<Of["given"]>;
/** The values that were read: by the name of each argument and option, as commander has it in camel case. */
export type Given<Words extends readonly Word[]> = {
  readonly [Of in Words[number] as GivenBy<Of>["name"]]: GivenBy<Of>["value"];
};

/** One command of the operator: `npm run admin -- [<group>] <name> …`. */
export interface Command<Words extends readonly Word[] = readonly Word[]> {
  readonly name: string;
  /** What it does, as the end of a sentence that begins with the command. */
  readonly does: string;
  /** Its arguments, in their order, and its options. */
  readonly words?: Words;
  /** More for the help: what each kind means, for instance. */
  readonly details?: string;
  /** Whole commands without `npm run admin --`, for the help. */
  readonly examples: readonly string[];
  /** It changes something: `connect` names the cloud on stderr, and stores that it is about to act. */
  readonly writes?: boolean;
  /** With these words it only shows what it would do: it is not stored in the trail, and needs no right to write. */
  isPreview?(given: Given<Words>): boolean;
  /** It is not stored in the trail of what operators did: the table for that may be missing before it. */
  readonly isUnrecorded?: boolean;
  /** It waits for a confirmation, so it has the option `--yes`. */
  readonly confirms?: boolean;
  /** How people see an array: as a table, or each element as a record. */
  readonly as?: "table" | "records";
  /** The columns of the table for people; all members of the rows where left out. `--json` shows all members. */
  readonly columns?: readonly string[];
  /**
   * Acts, and returns what is shown: as JSON with `--json`, else as a table or lines. Throws `UsageError` with one sentence for words that
   * exclude each other, before it connects; any other error with one sentence for what failed.
   */
  run(given: Given<Words>, context: Context): Promise<unknown>;
}

/** Commands about one thing: `npm run admin -- <name> <command> …`. */
export interface Group {
  readonly name: string;
  readonly does: string;
  readonly commands: readonly Command[];
}

/** What a command has of the world around it. */
export interface Context {
  /** Finds the cloud. It is called after the words were checked. */
  connect(): Promise<Cloud>;
  /** Waits for the operator's yes; `--yes` skips it. Throws where the reply is no, and where no terminal is attached to reply on. */
  confirm(question: string): Promise<void>;
  /** Writes a line to stderr, for people. */
  note(line: string): void;
  /** The whole command line as it was typed, but with this value of the option, ready to be pasted into a POSIX shell. */
  again(option: `--${string}`, value: string): string;
}

/** A command with the types of its words. Groups hold commands of any words. */
export const command = <Words extends readonly Word[]>(of: Command<Words>): Command => of;
