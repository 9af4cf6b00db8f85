import type { Connections } from "./connections.ts";

/** One command of the operator: `npm run admin -- <name> …`. */
export interface Subcommand {
  /** One word or two. */
  readonly name: string;
  /** The arguments after the name. */
  readonly usage: string;
  readonly does: string;
  /**
   * The result is printed as JSON. `connect` is called after the arguments were checked. An error is thrown with a sentence as its message.
   */
  run(args: string[], connect: Connect): Promise<unknown>;
}

/** Finds the connections for the operator's command. */
export type Connect = () => Promise<Connections>;

/** The one identifier among a command's arguments, in lower case. */
export function oneIdentifier(args: readonly string[], of: string): string {
  const [id, ...rest] = args;
  if (id === undefined || rest.length > 0) throw new Error(`Name one ${of} by its identifier.`);
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new Error(`The identifier of a ${of} looks like a UUID.`);
  return id.toLowerCase();
}
