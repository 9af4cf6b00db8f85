import { isIdentifier } from "../../../../shared/domain/identifier.ts";
import { merchantsOf } from "../../../../shared/use-cases/operator/onboarding/merchants.ts";
import {
  registerTerminal,
  terminalsOf,
  type TerminalWish,
} from "../../../../shared/use-cases/operator/onboarding/terminals.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { UsageError } from "../../../tools/script.ts";
import { clock, connectTables, keyMaker, newId } from "../../common/platform.ts";
import { command } from "../command.ts";
import { flag, option, plain, required } from "../words.ts";
import { findPartner } from "./partner.ts";
import { merchant, MERCHANT, merchantNameOf, PARTNER, partner, shown, terminalName } from "./terminal-words.ts";

/** Shown by the commands that make a terminal's key. */
export const ONCE = "The terminal key is not shown again.";

/** Keeps the case as typed, for responses. */
const idAsTyped = plain((typed, name) => {
  if (!isIdentifier(typed)) throw new UsageError(`${name} is an identifier: a UUID.`);
  return typed;
});

export const register = command({
  name: "register",
  does: "registers a terminal, and shows its key once",
  details:
    "If it breaks off, run it again with the same arguments and the terminal's --id. It then shows another key, unless the terminal has already\ncalled the platform. `terminal list` shows the identifier.",
  words: [
    partner,
    merchant,
    required("--name <text>", "its name, such as that of its till: up to 100 characters", terminalName),
    option(
      "--merchant-name <text>",
      "the merchant's name, for partners and operators: up to 100 characters",
      merchantNameOf("--merchant-name"),
    ),
    option("--id <pointOfServiceID>", "its identifier, a UUID; default: a new one", idAsTyped),
    flag("--strict-orders", "accept each order only once, and reject a repeated one"),
  ],
  examples: [`terminal register ${PARTNER} ${MERCHANT} --name "Till 3" --merchant-name "Café Kassa"`],
  writes: true,
  async run({ partner: partnerId, merchant: merchantId, id = newId(), ...given }, { connect, note }) {
    const cloud = await connect();
    const deps = { ...connectTables(cloud), newKeys: keyMaker(cloud) };
    await findPartner(deps.partners, partnerId);
    const wish = { idAsReceived: id, partnerId, merchantId, ...given };
    const doubt = await doubtOfMerchant(deps, wish);
    const registered = await registerTerminal(deps, wish, clock.now()).catch((error: unknown) => {
      note(`The terminal may already be registered. Run the command again with --id ${id} to get a key for it.`);
      throw error;
    });
    if (!registered) throw new Error("A terminal with this identifier was registered before.");
    if (doubt !== undefined) note(doubt);
    note(ONCE);
    return { terminalKey: registered.terminalKey, ...shown(registered.terminal) };
  },
});

/** Why the merchant or its name may be a mistake: the partner's other terminals do not have it. Undefined if they do. */
async function doubtOfMerchant(
  deps: TablePorts,
  { idAsReceived, partnerId, merchantId, merchantName }: TerminalWish,
): Promise<string | undefined> {
  const others = (await terminalsOf(deps, partnerId)).filter(
    ({ terminal }) => terminal.terminalId !== idAsReceived.toLowerCase(),
  );
  const same = merchantsOf(others).find((one) => one.merchantId === merchantId);
  if (!same) return "No other terminal has this merchant.";
  const names = [...same.names.map((name) => `"${name}"`), ...(same.unnamed > 0 ? ["no name"] : [])];
  const own = merchantName === undefined ? "no name" : `"${merchantName}"`;
  if (names.every((name) => name === own)) return undefined;
  return `Other terminals have ${names.join(" and ")} for this merchant. \`merchant rename\` gives it one name at all of them.`;
}
