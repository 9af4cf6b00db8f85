import type { Connections } from "./connections.ts";

/** One thing that the operator can do: `npm run admin -- <name> …`. */
export interface Subcommand {
  /** One word or two. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly does: string;
  /** What it gives is printed as JSON. `connect` is asked once the arguments are known to be good. What is wrong is thrown, as a sentence. */
  run(args: string[], connect: Connect): Promise<unknown>;
}

/** Finds out where the operator works. */
export type Connect = () => Promise<Connections>;

/** The one identifier that a command is given, in lower case. */
export function oneIdentifier(args: readonly string[], of: string): string {
  const [id, ...rest] = args;
  if (id === undefined || rest.length > 0) throw new Error(`Name one ${of} by its identifier.`);
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new Error(`The identifier of a ${of} looks like a UUID.`);
  return id.toLowerCase();
}
