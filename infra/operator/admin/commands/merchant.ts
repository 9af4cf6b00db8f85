import { merchantsOf, renameMerchant } from "../../../../shared/use-cases/operator/onboarding/merchants.ts";
import { terminalsOf } from "../../../../shared/use-cases/operator/onboarding/terminals.ts";
import { connectTables } from "../../common/platform.ts";
import { command, type Group } from "../command.ts";
import { identifier, required } from "../words.ts";
import { findPartner } from "./partner.ts";
import { MERCHANT, merchantNameOf, PARTNER } from "./terminal-words.ts";

const partner = required("--partner <partnerID>", "the partner that serves the merchant", identifier);

const list = command({
  name: "list",
  does: "lists the merchants of a partner's terminals that are in service",
  words: [partner],
  columns: ["merchantID", "terminals", "name"],
  examples: [`merchant list ${PARTNER}`],
  async run({ partner: partnerId }, { connect }) {
    const ports = connectTables(await connect());
    await findPartner(ports.partners, partnerId);
    return merchantsOf(await terminalsOf(ports, partnerId)).map(({ merchantId, names, unnamed, terminals }) => ({
      merchantID: merchantId,
      name: nameText(names, unnamed),
      names,
      terminals,
    }));
  },
});

/** The merchant's name, or that its terminals differ. Undefined if none has a name for it. */
function nameText(names: readonly string[], unnamed: number): string | undefined {
  const [name, ...others] = names;
  if (name === undefined || (others.length === 0 && unnamed === 0)) return name;
  return `Its terminals differ: ${[...names.map((one) => `"${one}"`), ...(unnamed > 0 ? [`${unnamed} without a name`] : [])].join(", ")}`;
}

const rename = command({
  name: "rename",
  does: "sets a merchant's name at each of its terminals, for partners and operators; payments bring their own for customers",
  details: "If it breaks off, run it again.",
  words: [
    partner,
    required("--merchant <merchantID>", "the merchant", identifier),
    required("--name <text>", "its name: up to 100 characters", merchantNameOf("--name")),
  ],
  examples: [`merchant rename ${PARTNER} ${MERCHANT} --name "Café Kassa"`],
  writes: true,
  async run({ partner: partnerId, merchant: merchantId, name }, { connect }) {
    const ports = connectTables(await connect());
    await findPartner(ports.partners, partnerId);
    const terminals = await renameMerchant(ports, { partnerId, merchantId, name });
    if (terminals === 0) throw new Error("None of the partner's terminals has this merchant.");
    return { merchantID: merchantId, name, terminals };
  },
});

export const merchant: Group = {
  name: "merchant",
  does: "the merchants whose money the terminals take",
  commands: [list, rename],
};
