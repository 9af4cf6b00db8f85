import type { Patch } from "../../support/patched.ts";

/** A patch of the product that breaks one rule. */
export interface Mutant extends Patch {
  readonly name: string;
}

export const useCases = "shared/use-cases";
export const domain = "shared/domain/payment";
