import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * Reads the options of this process. An unknown or wrong option, or an error of `read`, ends the process with one sentence and exit code 2.
 *
 * @param part the name of this process, with which the sentence begins
 */
export function readOptions<Config extends ParseArgsConfig, Read>(
  part: string,
  config: Config,
  read: (parsed: ReturnType<typeof parseArgs<Config>>) => Read,
): Read {
  try {
    return read(parseArgs(config));
  } catch (error) {
    console.error(`${part}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(2);
  }
}

/** Reads a port or a number of seconds. Throws a sentence if it is not a number from 0 to 65535. */
export function numberIn(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${option} takes a number from 0 to 65535.`);
}
