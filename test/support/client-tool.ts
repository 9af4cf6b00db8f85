import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./rooms.ts";
import { skippedIf } from "./skipped.ts";

/** Whether the generators and validators of the clients are installed. The root's `npm ci` leaves them out. */
export const hasClientTools = existsSync(join(root, "clients/tools/node_modules"));
export const withoutClientTools = skippedIf(!hasClientTools, "`npm ci --prefix clients/tools` was not run");

/** The path of one of these packages. */
export const clientTool = (name: string): string => join(root, "clients/tools/node_modules", name);
