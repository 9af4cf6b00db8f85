import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./rooms.ts";

/** The path of a package that the clients have for themselves, in a version of their own. Throws where it is not installed. */
export function clientTool(name: string): string {
  const path = join("clients", "partners", "node_modules", name);
  if (!existsSync(join(root, path)))
    throw new Error(`There is no ${path}: \`npm ci\` at the root of the clone installs it.`);
  return join(root, path);
}
