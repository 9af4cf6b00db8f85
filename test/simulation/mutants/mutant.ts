/** One rule of the product broken, as a change of its source; `find` must be in the file exactly once. */
export interface Mutant {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const useCases = "shared/use-cases";
export const domain = "shared/domain/payment";
