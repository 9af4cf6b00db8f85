import type { AuthDeps } from "../../shared/auth/authenticate.ts";
import { refuse } from "../../shared/domain/result.ts";

/** What authentication does beside its check, left out; and no Basic credentials are right. */
export const noAuthWork: Pick<AuthDeps, "rehashKey" | "noteKeyUse" | "checkBasic"> = {
  rehashKey: () => {},
  noteKeyUse: () => {},
  checkBasic: () => refuse({ refused: "unknown" }),
};
