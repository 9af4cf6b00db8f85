import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * Reads the options of this process. An unknown or wrong one, and an error of `read`, end the process with one sentence and exit code 2.
 *
 * @param part begins the sentence: what this process is
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

/** Reads the number of a port, or of seconds. Throws a sentence. */
export function numberIn(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${option} takes a number from 0 to 65535.`);
}
