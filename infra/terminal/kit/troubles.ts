import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import type { Operation } from "./exchange.ts";

/** What the kit makes of a request. `cut` loses it, `lost` takes it and loses the response, a code refuses it. */
export type TroubleKind =
  | "cut"
  | "lost"
  | Extract<ProblemCode, "dependency_unavailable" | "invalid_credentials" | "rate_limited">;

/** A trouble that the terminal is to live through. */
export interface Trouble {
  readonly on: Operation | "all";
  /** Of the report; any where left out. */
  readonly type?: string;
  readonly kind: TroubleKind;
  /** How many requests it meets. */
  readonly times: number;
}

/** The troubles in force. */
export function newTroubles() {
  let left: { readonly trouble: Trouble; times: number }[] = [];
  return {
    add(trouble: Trouble): void {
      left.push({ trouble, times: trouble.times });
    },
    /** What becomes of this request; undefined where nothing is in its way. */
    meet(operation: Operation, type: unknown): TroubleKind | undefined {
      const found = left.find(({ trouble, times }) => times > 0 && fits(trouble, operation, type));
      if (!found) return undefined;
      found.times -= 1;
      return found.trouble.kind;
    },
    /** Whether any has not been met as often as it was meant. */
    isPending: (): boolean => left.some(({ times }) => times > 0),
    clear(): void {
      left = [];
    },
  };
}
export type Troubles = ReturnType<typeof newTroubles>;

const fits = ({ on, type }: Trouble, operation: Operation, sentType: unknown): boolean =>
  (on === "all" || on === operation) && (type === undefined || type === sentType);
