import { bicepOnThisMachine, bicepVersion } from "../../../infra/azure/bicep.ts";
import { skippedIf } from "../../support/skipped.ts";

// The Bicep compiler as a check. Only the version that .ci/run restores is used, because other versions have other warnings.

export { bicep, bicepVersion } from "../../../infra/azure/bicep.ts";

const onThisMachine = bicepOnThisMachine();
export const isJudged = onThisMachine === bicepVersion;
export const withoutCompiler = skippedIf(
  !isJudged,
  onThisMachine === undefined
    ? "Microsoft's compiler of Bicep is not on this machine"
    : `the compiler of Bicep on this machine is ${onThisMachine} and not ${bicepVersion}`,
);
