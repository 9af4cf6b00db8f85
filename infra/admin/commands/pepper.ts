import { pepperStatus } from "../../../shared/use-cases/onboarding/pepper-status.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables } from "../platform.ts";
import { idOf, rotation } from "../rotating-setting.ts";
import { text } from "../words.ts";

const status = command({
  name: "status",
  does: "counts the keys and terminals that need each pepper: one that nothing needs may leave KEY_PEPPERS",
  examples: ["pepper status"],
  async run(_, { connect }) {
    const cloud = await connect();
    const known = cloud.peppers && Object.keys(cloud.peppers);
    const counted = await pepperStatus(connectTables(cloud), known ?? [], clock.now());
    return counted.map(({ pepperId, keys, terminals }) => ({
      pepper: pepperId,
      setting: known && shownPlace(known.indexOf(pepperId)),
      keys,
      terminals,
    }));
  },
});

const shownPlace = (place: number): string => {
  if (place < 0) return "not in it: these keys are refused";
  return place === 0 ? "first: hashes keys" : "verifies its own";
};

const rotate = command({
  name: "rotate",
  does: "prints the values that KEY_PEPPERS takes one after the other to have keys hashed by a new pepper; sets nothing",
  options: { id: text("pepperID", "the new pepper's identifier; made of the moment where left out") },
  examples: ["pepper rotate", "pepper rotate --id autumn --json"],
  as: "records",
  async run({ id }, { connect }) {
    const cloud = await connect();
    const newId = id ?? idOf(clock.now());
    const until = "when `pepper status` counts nothing for the others, leave them out";
    return rotation({ name: "KEY_PEPPERS", secrets: cloud.peppers, newId, until }, cloud);
  },
});

export const pepper: Group = {
  name: "pepper",
  does: "what the keys of partners and terminals are hashed with",
  commands: [status, rotate],
};
