import type { TerminalView } from "../../../stores/terminals.ts";
import { eachOf } from "../../each-of.ts";
import type { Needs } from "../../needs.ts";
import { retryOnConflict } from "../../outbox/retry-on-conflict.ts";
import { terminalsOf } from "./terminals.ts";

/** A merchant as its partner's terminals name it. */
export interface Merchant {
  readonly merchantId: string;
  /** Each name that one of its terminals has for it. */
  readonly names: readonly string[];
  readonly terminals: number;
  /** How many of its terminals have no name for it. */
  readonly unnamed: number;
}

/** The merchants of these terminals, in the order of their identifiers. */
export function merchantsOf(views: readonly TerminalView[]): Merchant[] {
  const ids = [...new Set(views.map(({ terminal }) => terminal.merchantId))].toSorted();
  return ids.map((merchantId) => {
    const names = views.flatMap(({ terminal }) => (terminal.merchantId === merchantId ? [terminal.merchantName] : []));
    const known = names.filter((name) => name !== undefined);
    return {
      merchantId,
      names: [...new Set(known)].toSorted(),
      terminals: names.length,
      unnamed: names.length - known.length,
    };
  });
}

/**
 * Gives the merchant this name at each of its terminals in service. Returns the number of its terminals. May be repeated: a terminal that
 * has the name is not written. Payments keep the name that they brought. Throws `Unavailable`.
 */
export async function renameMerchant(
  deps: Needs<"partners" | "terminals">,
  { partnerId, merchantId, name }: { readonly partnerId: string; readonly merchantId: string; readonly name: string },
): Promise<number> {
  const { terminals } = deps;
  const own = (await terminalsOf(deps, partnerId)).filter(({ terminal }) => terminal.merchantId === merchantId);
  const rename = async ({ terminal, etag }: TerminalView): Promise<void> => {
    if (terminal.merchantName === name) return;
    await terminals.save({ ...terminal, merchantName: name }, etag); // `updatedAt` is the time of its status
  };
  await eachOf(own, (listed) =>
    retryOnConflict(async (attempt) => {
      const view = attempt === 1 ? listed : await terminals.find(listed.terminal.terminalId);
      if (view) await rename(view); // undefined if it was retired meanwhile
    }),
  );
  return own.length;
}
