import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root, withSlashes } from "./rooms.ts";

/** The text of a file of this repository. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8");

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.includes("node_modules"))
    .map((path) => withSlashes(join(folder, path)));

/** Every page of this repository for people. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((file) => file.endsWith(".md")),
  ...["docs", "infra", "packages", "clients"].flatMap(markdownIn),
];
