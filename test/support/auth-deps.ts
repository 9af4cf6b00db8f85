import type { AuthDeps } from "../../shared/edge/auth/authenticate.ts";
import { refuse } from "../../shared/domain/result.ts";

/** Authentication that only performs its check, and accepts no Basic credentials. */
export const noAuthWork: Pick<AuthDeps, "rehashKey" | "noteKeyUse" | "checkBasic"> = {
  rehashKey: () => {},
  noteKeyUse: () => {},
  checkBasic: () => refuse({ refused: "unknown" }),
};
