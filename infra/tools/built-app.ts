import { join } from "node:path";
import { projectFolder } from "./packed.ts";

/** The deployable folder. */
export const builtApp = join(projectFolder, "dist");
