/** A table for readers. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The result of a benchmark: tables for readers, and the same figures for programs. */
export interface Outcome {
  readonly tables: readonly Table[];
  /** Notes that a reader of the tables needs. */
  readonly remarks?: readonly string[];
  /** Written to the file of `--json`. Each name states its unit. */
  readonly figures: unknown;
}

/** One option of the command line. */
export interface Option<Value> {
  readonly means: string;
  /** The default of the option, in words. Undefined: the option has no value. */
  readonly otherwise?: string;
  /** Reads the option's text. Throws a sentence that names the option if the text is not an allowed value. */
  readonly read: (name: string, given: string | undefined) => Value;
}

type Options = Readonly<Record<string, Option<unknown>>>;
type ValuesOf<Given extends Options> = {
  readonly [Name in keyof Given]: Given[Name] extends Option<infer Value> ? Value : never;
};
/** Reports the progress of a long run. */
export type Progress = (line: string) => void;

export interface Bench {
  /** The subject of the measurement, in one line. */
  readonly means: string;
  readonly options: Options;
  /** Reads the options, and returns the function that runs the benchmark with them. Throws if an option is wrong. */
  readonly prepare: (given: Readonly<Record<string, string | undefined>>) => (progress: Progress) => Promise<Outcome>;
}

/** Defines a benchmark: its subject, its options, and the run that gets their values. */
export const defineBench = <const Given extends Options>({
  means,
  options,
  run,
}: {
  readonly means: string;
  readonly options: Given;
  readonly run: (values: ValuesOf<Given>, progress: Progress) => Promise<Outcome>;
}): Bench => ({
  means,
  options,
  prepare(given) {
    const values = Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, option.read(name, given[name])]),
    ) as ValuesOf<Given>;
    return (progress) => run(values, progress);
  },
});

function readWhole(name: string, given: string): number {
  const number = Number(given);
  if (!/^\d+$/.test(given) || number <= 0 || !Number.isSafeInteger(number))
    throw new Error(`--${name} ${given} is no positive whole number.`);
  return number;
}

/** A positive whole number. */
export const whole = (otherwise: number, means: string): Option<number> => ({
  means,
  otherwise: String(otherwise),
  read: (name, given) => (given === undefined ? otherwise : readWhole(name, given)),
});

/** A positive number, not necessarily whole: minutes. */
export const positive = (otherwise: number, means: string): Option<number> => ({
  means,
  otherwise: String(otherwise),
  read(name, given) {
    if (given === undefined) return otherwise;
    if (!/^\d+(\.\d+)?$/.test(given) || Number(given) <= 0)
      throw new Error(`--${name} ${given} is no positive number.`);
    return Number(given);
  },
});

/** Positive whole numbers, separated by commas. */
export const wholes = (otherwise: readonly number[], means: string): Option<readonly number[]> => ({
  means,
  otherwise: otherwise.join(),
  read: (name, given) => (given === undefined ? otherwise : given.split(",").map((number) => readWhole(name, number))),
});

/** Whether a benchmark's stack has a host for each scale group. The word has no value. */
export const scaleGroups: Option<boolean> = {
  means: "give each queue's function a host of its own, as Azure does",
  read: (_, given) => given !== undefined,
};

/** A path; undefined if it is left out. */
export const path = (means: string): Option<string | undefined> => ({
  means,
  otherwise: "none",
  read(name, given) {
    if (given === "") throw new Error(`--${name} names nothing.`);
    return given;
  },
});
