import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { newScript, runScript, UsageError } from "../../infra/tools/script.ts";

// The imports of this repository. `npm run rooms -- shared/use-cases` counts the rooms of a folder and the imports between them.

export const root = resolve(import.meta.dirname, "../..");

export interface Import {
  readonly from: string;
  /** A file of this repository, or a package. */
  readonly to: string;
}

/** A path with slashes, as in imports and pages, even on Windows. */
export const withSlashes = (path: string): string => path.replaceAll("\\", "/");

/** Every TypeScript file of a folder, at any depth. */
export const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/(?:^|[\\/])node_modules[\\/]/.test(file))
    .map((file) => withSlashes(join(folder, file)));

export const importsIn = (folders: readonly string[]): Import[] =>
  folders.flatMap(filesIn).flatMap((from) =>
    [...readFileSync(join(root, from), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => ({
      from,
      to: name.startsWith(".") ? withSlashes(relative(root, resolve(root, dirname(from), name))) : name,
    })),
  );

/** The rooms of a folder: the files and folders in it, and for each the others that it imports. */
export function roomsOf(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const roomOf = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/")[0] : undefined;
  const rooms = new Map<string, Set<string>>(readdirSync(join(root, folder)).map((room) => [room, new Set()]));
  for (const { from, to } of importsIn([folder])) {
    const [room, other] = [roomOf(from), roomOf(to)];
    if (room !== undefined && other !== undefined && room !== other) rooms.get(room)?.add(other);
  }
  return rooms;
}

/** The rooms by floors. A room is above everything that it imports. The remaining rooms import each other in a circle. */
export function floorsOf(rooms: ReadonlyMap<string, ReadonlySet<string>>): { floors: string[][]; circle: string[] } {
  const placed = new Set<string>();
  const floors: string[][] = [];
  for (;;) {
    const next = [...rooms.keys()].filter(
      (room) => !placed.has(room) && [...(rooms.get(room) ?? [])].every((other) => placed.has(other)),
    );
    if (next.length === 0) return { floors, circle: [...rooms.keys()].filter((room) => !placed.has(room)) };
    for (const room of next) placed.add(room);
    floors.push(next);
  }
}

/** Returns whether there is no circle. */
function printRooms(folder: string): boolean {
  const rooms = roomsOf(folder);
  const { floors, circle } = floorsOf(rooms);
  const arrows = [...rooms.values()].reduce((sum, others) => sum + others.size, 0);
  console.log(`${folder}: ${rooms.size} rooms, ${arrows} arrows, ${floors.length} floors`);
  for (const [i, floor] of [...floors.entries()].toReversed()) console.log(`${i + 1}  ${floor.join("  ")}`);
  for (const [room, others] of rooms) if (others.size > 0) console.log(`${room} -> ${[...others].join(", ")}`);
  if (circle.length > 0) console.log(`in a circle: ${circle.join(", ")}`);
  return circle.length === 0;
}

export const script = newScript(
  "npm run rooms --",
  "Prints the import graph of a folder by layers. Exits with 1 on a cycle.",
  ["npm run rooms -- shared/use-cases"],
)
  .argument("[folder]", "a folder of this repository", "shared")
  .action((folder: string) => {
    if (!statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`There is no folder ${folder} in this repository.`);
    if (!printRooms(folder)) process.exitCode = 1;
  });

if (import.meta.main) await runScript(script);
