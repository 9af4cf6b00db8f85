import type { Patch } from "../../support/patched.ts";

/** One rule of the product broken. */
export interface Mutant extends Patch {
  readonly name: string;
}

export const useCases = "shared/use-cases";
export const domain = "shared/domain/payment";
