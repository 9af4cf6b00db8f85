import type { TablePorts } from "../../../shared/stores/stores.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { sentence } from "./sentence.ts";

/** The names of a terminal and of its merchant. A terminal that is retired or unknown has none. */
export interface TerminalNames {
  readonly terminalName?: string | undefined;
  readonly merchantName?: string | undefined;
}

/**
 * Reads the names of these terminals, each once. Never fails: a terminal that cannot be read has no names, and `note` says so once.
 * Returns the names by the terminal's identifier.
 */
export async function terminalNames(
  { terminals }: Pick<TablePorts, "terminals">,
  terminalIds: readonly (string | undefined)[],
  note: (line: string) => void,
): Promise<(terminalId: string | undefined) => TerminalNames> {
  const ids = [...new Set(terminalIds)].filter((id) => id !== undefined);
  const errors: unknown[] = [];
  const found = await eachOf(ids, async (terminalId) => {
    const view = await terminals.find(terminalId).catch((error: unknown) => void errors.push(error));
    return [terminalId, { terminalName: view?.terminal.name, merchantName: view?.terminal.merchantName }] as const;
  });
  if (errors.length > 0) note(`The names of terminals are not shown: ${sentence(errors[0])}`);
  const names = new Map<string | undefined, TerminalNames>(found);
  return (terminalId) => names.get(terminalId) ?? {};
}

/** `Till 3 of Café Kassa`, or what is known of it. Undefined if nothing is. */
export const namesText = ({ terminalName, merchantName }: TerminalNames): string | undefined =>
  [terminalName, merchantName].filter((name) => name !== undefined).join(" of ") || undefined;
