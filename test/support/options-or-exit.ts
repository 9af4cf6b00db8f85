/**
 * A run's options as its reader takes them from the command line, with a seed to draw by where none is given. Options that are wrong end
 * the process with 2.
 */
export function optionsOrExit<Options>(read: (args: string[], seed: number) => Options): Options {
  try {
    return read(process.argv.slice(2), 1 + (Date.now() % 1_000_000));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}
