import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { newScript, runScript, UsageError } from "../../infra/script.ts";

// The imports of this repository. `npm run rooms` measures its parts and counts the imports between them; `npm run rooms -- shared/use-cases`
// counts the rooms of a folder and the arrows between them.

export const root = resolve(import.meta.dirname, "../..");

export interface Import {
  readonly from: string;
  /** A file of this repository, or a package. */
  readonly to: string;
}

/** A path as imports and pages write it, on Windows too. */
export const withSlashes = (path: string): string => path.replaceAll("\\", "/");

/** Every TypeScript file of a folder, at any depth. */
export const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => withSlashes(join(folder, file)));

export const importsIn = (folders: readonly string[]): Import[] =>
  folders.flatMap(filesIn).flatMap((from) =>
    [...readFileSync(join(root, from), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => ({
      from,
      to: name.startsWith(".") ? withSlashes(relative(root, resolve(root, dirname(from), name))) : name,
    })),
  );

/** The rooms of a folder: what stands in it, files and folders, and for each the others that it imports. */
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

/** The rooms by floors: one stands above all that it imports. What is left over imports itself in a circle. */
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

const roots = ["functions", "shared", "infra", "test"];

/** The parts of the repository; a file belongs to the first that it fits. */
const parts: readonly (readonly [string, RegExp])[] = [
  ["product", /^(functions|shared)\//],
  ["emulators' tests", /^infra\/local\/(service-bus|functions-host|gateway)\/test\//],
  ["emulators", /^infra\/local\/(service-bus|functions-host|gateway)\//],
  ["tests", /^test\/|\/test\//],
  ["rest of infra", /^infra\//],
];
const partOf = (file: string) => parts.find(([, belongs]) => belongs.test(file))?.[0];

/** What belongs to a part: TypeScript alone, by the number of lines. */
function measured(part: string): string {
  const lengths = roots
    .flatMap(filesIn)
    .filter((file) => partOf(file) === part)
    .map((file) => [readFileSync(join(root, file), "utf8").split("\n").length - 1, file] as const)
    .toSorted(([one], [other]) => one - other);
  const lines = lengths.reduce((sum, [length]) => sum + length, 0);
  const [median] = lengths[Math.floor(lengths.length / 2)] ?? [];
  const [longest, file] = lengths.at(-1) ?? [];
  const figures = [lengths.length, lines, median, longest].map((figure) => String(figure).padStart(8)).join("");
  return `${part.padEnd(18)}${figures}  ${file}`;
}

/** How many imports lead from a part to each other one. */
function arrowsFrom(part: string, imports: readonly Import[]): string {
  const others = parts.map(([other]) => other).filter((other) => other !== part);
  const counted = others.map((other) => {
    const count = imports.filter(({ from, to }) => partOf(from) === part && partOf(to) === other).length;
    return count > 0 ? [`${other} ${count}`] : [];
  });
  return `${part} -> ${counted.flat().join(", ") || "none"}`;
}

function printParts(): void {
  console.log(
    `${"part".padEnd(18)}${["files", "lines", "median", "longest"].map((word) => word.padStart(8)).join("")}`,
  );
  for (const [part] of parts) console.log(measured(part));
  const imports = importsIn(roots);
  for (const [part] of parts) console.log(arrowsFrom(part, imports));
}

/** Yields whether there is no circle. */
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
  "Measures the parts of this repository, or prints the import graph of a folder by layers. Exits with 1 on a cycle.",
  ["npm run rooms -- shared/use-cases"],
)
  .argument("[folder]", "a folder of this repository")
  .action((folder: string | undefined) => {
    if (folder !== undefined && !statSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`There is no folder ${folder} in this repository.`);
    if (folder === undefined) printParts();
    if (!printRooms(folder ?? "shared")) process.exitCode = 1;
  });

if (import.meta.main) await runScript(script);
