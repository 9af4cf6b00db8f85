import type { Terminal } from "../../../../shared/domain/terminal.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import type { TerminalView } from "../../../../shared/stores/terminals.ts";
import { readTerminalStatus } from "../../../../shared/use-cases/terminals/read-terminal-status.ts";
import { operatorCall } from "../../common/platform.ts";
import { argument, identifier, matching, required } from "../words.ts";

// The words that the commands about terminals share, and how these commands show a terminal.

export const partner = required("--partner <partnerID>", "the partner that serves the terminal", identifier);
export const merchant = required("--merchant <merchantID>", "the merchant that it takes money for", identifier);
export const pointOfServiceID = argument("<pointOfServiceID>", "the terminal", identifier);
export const PARTNER = "--partner 5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
export const MERCHANT = "--merchant 1c9f7b6a-2e3d-4c5b-8a69-78f0e1d2c3b4";
export const TERMINAL = "c7f6a1b2-3d4e-4f50-8a61-7b8c9d0e1f20";

const NAME = /^(?=\s*\S)[^\p{Cc}]{1,100}$/u;
export const terminalName = matching(NAME, "A terminal has a --name of up to 100 characters.");
/** Reads a merchant's name from this option. */
export const merchantNameOf = (option: string) => matching(NAME, `A merchant has a ${option} of up to 100 characters.`);

/** The terminal, to be shown or changed. Throws an error for the operator if it is unknown or retired. */
export async function findTerminal(
  { terminals }: Pick<TablePorts, "terminals">,
  terminalId: string,
): Promise<TerminalView> {
  const view = await terminals.find(terminalId);
  if (view) return view;
  const retired = await terminals.findRetired(terminalId);
  throw new Error(retired ? "The terminal is retired." : "There is no such terminal.");
}

/** The terminal as it was registered. */
export const shown = ({ idAsReceived, name, partnerId, merchantId, merchantName, strictOrders }: Terminal) => ({
  pointOfServiceID: idAsReceived,
  name,
  partnerID: partnerId,
  merchantID: merchantId,
  merchantName,
  strictOrders,
});

/** A call for the terminal's partner. */
export const callFor = ({ partnerId }: Pick<Terminal, "partnerId">) => ({
  ...operatorCall(),
  caller: { partnerId, keyId: "operator" },
});

/** The terminal with its status as partners see it. */
export async function observed(ports: TablePorts, { terminal }: TerminalView) {
  const status = await readTerminalStatus(
    { ...ports, timings: standardTimings },
    callFor(terminal),
    terminal.terminalId,
  );
  return {
    ...shown(terminal),
    status: status.ok ? status.value.status : terminal.status,
    lastSeenAt: status.ok ? status.value.lastSeenAt : undefined,
  };
}
