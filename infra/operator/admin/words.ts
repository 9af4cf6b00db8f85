import { holdsCardNumber } from "../../../shared/domain/card-data.ts";
import { Argument, Option } from "commander";
import * as z from "zod";
import { isEmailAddress } from "../../../shared/domain/email-address.ts";
import { isIdentifier } from "../../../shared/domain/identifier.ts";
import { day as dayFormat } from "../../../shared/domain/time.ts";
import { UsageError } from "../../tools/script.ts";

// The words of a command are commander's arguments and options. They also carry the types of their values, and whether a value may be
// recorded.

/** A commander argument or option. */
export type Word<Name extends string = string, Value = unknown> = (Option | Argument) & Typed<Name, Value>;

interface Typed<Name extends string, Value> {
  /** Whether it may be recorded in the trail. */
  readonly isPlain: boolean;
  /** Exists only for the compiler: the name and type of the value that a command gets. */
  readonly given?: { readonly name: Name; readonly value: Value };
}

/**
 * Reads the text that was typed for a name. Throws `UsageError`, because commander's own error would quote the text, which may be a secret.
 */
export interface Read<Value> {
  (typed: string, name: string): Value;
  /** Whether it reads a name, a choice, a time, a number or an identifier. */
  readonly isPlain?: boolean;
}

/** Marks a reader whose values may be recorded in the trail. */
export const plain = <Value>(read: (typed: string, name: string) => Value): Read<Value> =>
  Object.assign(read, { isPlain: true });

type NameOf<Flags> = Flags extends `<${infer Name}>` | `[${infer Name}]`
  ? Name
  : Flags extends `--${infer Name} <${string}`
    ? CamelCase<Name>
    : Flags extends `--${infer Name}`
      ? CamelCase<Name>
      : never;
type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type Named<Flags, Value> = Option & Typed<NameOf<Flags>, Value>;

function word<Of extends Option | Argument>(of: Of, name: string, read: Read<unknown>) {
  of.argParser((typed: string) => read(typed, name));
  return Object.assign(of, { isPlain: read.isPlain === true });
}

const valued = (flags: string, means: string, read: Read<unknown>) =>
  word(new Option(flags, means), flags.replace(/ .*/, ""), read);

/** `<name>`, or `[name]` if it is optional. */
export const argument = <Flags extends string, Value>(
  flags: Flags,
  means: string,
  read: Read<Value>,
): Argument & Typed<NameOf<Flags>, Flags extends `[${string}` ? Value | undefined : Value> =>
  word(new Argument(flags, means), flags, read);

/** `--name <value>`, which is optional. */
export const option = <F extends string, Value>(
  flags: F,
  means: string,
  read: Read<Value>,
): Named<F, Value | undefined> => valued(flags, means, read);

/** A required option. */
export const required = <F extends string, Value>(flags: F, means: string, read: Read<Value>): Named<F, Value> =>
  valued(flags, `${means} (required)`, read).makeOptionMandatory();

/** An option with a default text. */
export const standard = <F extends string, V>(flags: F, means: string, read: Read<V>, text: string): Named<F, V> =>
  valued(flags, means, read).default(read(text, flags), text);

/** An option without a value. */
export const flag = <F extends string>(flags: F, means: string): Named<F, boolean> =>
  Object.assign(new Option(flags, means), { isPlain: true });

export const text: Read<string> = (typed) => typed;
export const plainText = plain((typed) => typed);

/** Accepts a text of this form. Throws `UsageError` with the given message for any other text. */
export const matching =
  (form: RegExp, wrong: string): Read<string> =>
  (typed) => {
    if (!form.test(typed)) throw new UsageError(wrong);
    return typed;
  };

/** A number of this form. */
export const numberMatching = (form: RegExp, wrong: string): Read<number> => {
  const read = matching(form, wrong);
  return plain((typed, name) => Number(read(typed, name)));
};

/** A person's e-mail address. It is never recorded. */
export const address: Read<string> = (typed, name) => {
  if (!isEmailAddress(typed)) throw new UsageError(`${name} takes one plain address, name@example.com.`);
  return typed;
};

/** A UUID in any case, converted to lower case. */
export const identifier = plain((typed, name) => {
  if (!isIdentifier(typed)) throw new UsageError(`${name} is an identifier: a UUID.`);
  return typed.toLowerCase();
});

/** A UTC day. */
export const day = plain((typed, name) => {
  if (!dayFormat.safeParse(typed).success) throw new UsageError(`${name} takes a day, such as 2026-11-21.`);
  return typed;
});

/** A time with its offset, converted to UTC. */
export const moment = plain((typed, name) => {
  const parsed = z.iso.datetime({ offset: true }).safeParse(typed);
  if (!parsed.success) throw new UsageError(`${name} takes a time, such as 2027-01-31T22:59:59Z.`);
  return new Date(parsed.data).toISOString();
});

const secondsOf = { m: 60, h: 3_600, d: 86_400 } as const;
/** A year. A longer duration is probably a mistake. */
const MAX_DURATION_SECONDS = 366 * 86_400;

/** A duration in seconds: `30m`, `12h`, `7d`. `0d` means at once. */
export const duration = plain((typed, name) => {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(typed) ?? [];
  const seconds = Number(number) * secondsOf[unit as keyof typeof secondsOf];
  if (!(seconds <= MAX_DURATION_SECONDS))
    throw new UsageError(`${name} takes a duration of up to a year: 30m, 12h, 7d.`);
  return seconds;
});

export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Read<Choice> =>
  plain((typed, name) => {
    const found = choices.find((choice) => choice === typed);
    if (found === undefined) throw new UsageError(`${name} is one of ${choices.join(", ")}.`);
    return found;
  });

/** Values separated by commas, each read with this reader. Duplicates are dropped. */
export const listOf = <Value>(read: Read<Value>): Read<Value[]> => {
  const list = (typed: string, name: string) => [...new Set(typed.split(",").map((part) => read(part.trim(), name)))];
  return read.isPlain ? plain(list) : list;
};

/** The operator's texts are stored in one row, so their length is limited. */
const MAX_TEXT = 500;

/** A text of the operator that is stored: who acted, and why. */
export const remark: Read<string> = (typed, name) => {
  if (typed.trim() === "" || typed.length > MAX_TEXT) throw new UsageError(`${name} has 1 to ${MAX_TEXT} characters.`);
  if (holdsCardNumber(typed)) throw new UsageError(`${name} must not contain a card number.`);
  return typed;
};
