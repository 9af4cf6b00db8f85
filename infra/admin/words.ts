import { z } from "zod";
import { isIdentifier } from "../../shared/domain/identifier.ts";
import { day as dayFormat } from "../../shared/domain/time.ts";
import { UsageError } from "../script.ts";

/** One argument or option: how the help shows it, and how its text is read. */
export interface Word<Value> {
  /** What stands for the value in the help, without brackets; undefined for an option without a value. */
  readonly value: string | undefined;
  readonly means: string;
  readonly isRequired: boolean;
  /** The text that is read where none is typed. */
  readonly standard?: string;
  /** What is typed is a name, a choice, a time or a number: it may be stored in the trail of what operators did. */
  readonly isPlain?: boolean;
  /** Reads what was typed, under the name that was typed before it. Throws `UsageError`. */
  read(typed: string, name: string): Value;
}

/** An option without a value. */
export const flag = (means: string): Word<boolean> => ({
  value: undefined,
  means,
  isRequired: false,
  isPlain: true,
  read: () => true,
});

/** A word that may be left out, read in a way of its own. */
export const word = <Value>(
  value: string,
  means: string,
  read: (typed: string, name: string) => Value,
): Word<Value | undefined> => ({ value, means, isRequired: false, read });

/** The same for what may be stored in the trail. */
export const plainWord = <Value>(
  value: string,
  means: string,
  read: (typed: string, name: string) => Value,
): Word<Value | undefined> => ({ ...word(value, means, read), isPlain: true });

export const text = (value: string, means: string): Word<string | undefined> => word(value, means, (typed) => typed);
export const plainText = (value: string, means: string): Word<string | undefined> =>
  plainWord(value, means, (typed) => typed);

/** The same word, which must be typed. */
export const required = <Value>(optional: Word<Value | undefined>): Word<Value> => ({
  ...(optional as Word<Value>),
  isRequired: true,
});

/** The same word, with the text that is read where none is typed. */
export const standard = <Value>(optional: Word<Value | undefined>, text: string): Word<Value> => ({
  ...(optional as Word<Value>),
  standard: text,
});

/** A UUID in any case, read in lower case. */
export const identifier = (value: string, means: string): Word<string | undefined> =>
  plainWord(value, means, (typed, name) => {
    if (!isIdentifier(typed)) throw new UsageError(`${name} is an identifier: a UUID.`);
    return typed.toLowerCase();
  });

/** A day of UTC. */
export const day = (means: string): Word<string | undefined> =>
  plainWord("YYYY-MM-DD", means, (typed, name) => {
    if (!dayFormat.safeParse(typed).success) throw new UsageError(`${name} takes a day, such as 2026-11-21.`);
    return typed;
  });

/** A moment with its offset, read in UTC. */
export const moment = (value: string, means: string): Word<string | undefined> =>
  plainWord(value, means, (typed, name) => {
    const parsed = z.iso.datetime({ offset: true }).safeParse(typed);
    if (!parsed.success) throw new UsageError(`${name} takes a moment, such as 2027-01-31T22:59:59Z.`);
    return new Date(parsed.data).toISOString();
  });

const secondsOf = { m: 60, h: 3_600, d: 86_400 } as const;
/** A year: what is kept longer was meant otherwise. */
const MAX_DURATION_SECONDS = 366 * 86_400;

/** A duration in seconds: `30m`, `12h`, `7d`; `0d` is at once. */
export const duration = (value: string, means: string): Word<number | undefined> =>
  plainWord(value, means, (typed, name) => {
    const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(typed) ?? [];
    const seconds = Number(number) * secondsOf[unit as keyof typeof secondsOf];
    if (!(seconds <= MAX_DURATION_SECONDS))
      throw new UsageError(`${name} takes a duration of up to a year: 30m, 12h, 7d.`);
    return seconds;
  });

/** Several values, separated by commas, each read by the word. None is there twice. */
export const listOf = <Value>({ read, ...one }: Word<Value | undefined>, value: string): Word<Value[] | undefined> => ({
  ...one,
  value,
  read: (typed, name) =>
    [...new Set(typed.split(",").map((part) => read(part.trim(), name)))].filter((x) => x !== undefined),
});

export const oneOf = <const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  means: string,
): Word<Choice | undefined> =>
  plainWord(value, means, (typed, name) => {
    const found = choices.find((choice) => choice === typed);
    if (found === undefined) throw new UsageError(`${name} is one of ${choices.join(", ")}.`);
    return found;
  });

/** The operator's texts are stored in one row, so their length is limited. */
const MAX_TEXT = 500;

/** A text of the operator that is stored: who did it, and why. */
export const remark = (value: string, means: string): Word<string> =>
  required(
    word(value, means, (typed, name) => {
      if (typed.trim() === "" || typed.length > MAX_TEXT)
        throw new UsageError(`${name} has 1 to ${MAX_TEXT} characters.`);
      return typed;
    }),
  );
