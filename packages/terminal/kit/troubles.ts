import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import type { Operation } from "./exchange.ts";

/** The effect on a request. `cut` drops it. `lost` takes it, but drops the response. A code rejects it. */
export type TroubleKind =
  | "cut"
  | "lost"
  | Extract<ProblemCode, "dependency_unavailable" | "invalid_credentials" | "rate_limited">;

/** A trouble that the terminal must handle. */
export interface Trouble {
  readonly on: Operation | "all";
  /** The type of the report. Default: any type. */
  readonly type?: string;
  readonly kind: TroubleKind;
  /** The number of requests that it affects. */
  readonly times: number;
}

/** The active troubles. */
export function newTroubles() {
  let left: { readonly trouble: Trouble; times: number }[] = [];
  return {
    add(trouble: Trouble): void {
      left.push({ trouble, times: trouble.times });
    },
    /** The trouble for this request. Undefined if there is none. */
    meet(operation: Operation, type: unknown): TroubleKind | undefined {
      const found = left.find(({ trouble, times }) => times > 0 && fits(trouble, operation, type));
      if (!found) return undefined;
      found.times -= 1;
      return found.trouble.kind;
    },
    /** Whether a trouble has affected fewer requests than planned. */
    isPending: (): boolean => left.some(({ times }) => times > 0),
    clear(): void {
      left = [];
    },
  };
}
export type Troubles = ReturnType<typeof newTroubles>;

const fits = ({ on, type }: Trouble, operation: Operation, sentType: unknown): boolean =>
  (on === "all" || on === operation) && (type === undefined || type === sentType);
