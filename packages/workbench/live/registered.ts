import type { Terminals } from "../../../shared/stores/terminals.ts";
import { deviceFacts } from "../../terminal/device-facts.ts";
import type { RegisteredView } from "./views/registered.ts";

/** The terminals that are registered and not retired. */
export interface RegisteredTerminals {
  /** Reads a terminal again. */
  read(terminalId: string): Promise<void>;
  find(terminalId: string): RegisteredView | undefined;
  all(): readonly RegisteredView[];
}

export function registeredTerminals(terminals: Pick<Terminals, "find">): RegisteredTerminals {
  const views = new Map<string, RegisteredView>();
  return {
    async read(terminalId) {
      const found = await terminals.find(terminalId);
      if (!found) return void views.delete(terminalId);
      const { name, merchantId, merchantName } = found.terminal;
      views.set(terminalId, {
        terminalId,
        ...(name !== undefined && { terminalName: name }),
        merchantId,
        ...(merchantName !== undefined && { merchantName }),
        facts: deviceFacts(found.described, found.batteryPercent),
      });
    },
    find: (terminalId) => views.get(terminalId),
    all: () => [...views.values()],
  };
}
