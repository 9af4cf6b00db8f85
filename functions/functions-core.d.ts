/** The part that the app uses of the module that the Functions worker supplies. Microsoft does not publish its types as a package. */
declare module "@azure/functions-core" {
  import type { ProgrammingModel } from "../shared/edge/http/readable-headers.ts";

  /** The library with which the app registered its functions. */
  export function getProgrammingModel(): ProgrammingModel;
  /** Replaces it. The last one counts. */
  export function setProgrammingModel(model: ProgrammingModel): void;
}
