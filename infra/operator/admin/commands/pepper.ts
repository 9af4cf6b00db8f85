import { pepperStatus } from "../../../../shared/use-cases/operator/onboarding/pepper-status.ts";
import { clock } from "../../common/platform.ts";
import { rotatingGroup } from "../rotating-group.ts";

export const pepper = rotatingGroup({
  name: "pepper",
  does: "what the keys of partners and terminals are hashed with",
  setting: "KEY_PEPPERS",
  secretsOf: ({ peppers }) => peppers,
  member: "pepper",
  status: {
    does: "counts the keys and terminals that need each pepper: one that nothing needs may leave KEY_PEPPERS",
    places: { first: "first: hashes keys", other: "verifies its own", absent: "not in it: these keys are refused" },
    async list(ports, known) {
      const counted = await pepperStatus(ports, known, clock.now());
      return counted.map(({ pepperId: id, ...shown }) => ({ id, shown }));
    },
  },
  rotate: {
    does: "prints the values that KEY_PEPPERS takes one after the other to have keys hashed by a new pepper; sets nothing",
    of: "pepper",
    until: "when `pepper status` counts nothing for the others, leave them out",
  },
});
