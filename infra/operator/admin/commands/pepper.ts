import { pepperStatus } from "../../../../shared/use-cases/operator/onboarding/pepper-status.ts";
import { clock } from "../../common/platform.ts";
import { rotatingGroup } from "../rotating-group.ts";

export const pepper = rotatingGroup({
  name: "pepper",
  does: "the secrets with which the keys of partners and terminals are hashed",
  setting: "KEY_PEPPERS",
  secretsOf: ({ peppers }) => peppers,
  member: "pepper",
  status: {
    does: "counts the keys and terminals that need each pepper; a pepper that nothing needs can be removed from KEY_PEPPERS",
    places: {
      first: "first: hashes keys",
      other: "verifies its own keys",
      absent: "not in the setting: these keys are rejected",
    },
    async list(ports, known) {
      const counted = await pepperStatus(ports, known, clock.now());
      return counted.map(({ pepperId: id, ...shown }) => ({ id, shown }));
    },
  },
  rotate: {
    does: "prints, step by step, the values to set KEY_PEPPERS to, so that a new pepper hashes keys; changes nothing itself",
    of: "pepper",
    until: "when `pepper status` counts nothing for the others, remove them",
  },
});
