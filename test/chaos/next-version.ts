import { join } from "node:path";
import { buildApp } from "../../infra/build.ts";
import type { Row } from "../../shared/tables/rows.ts";
import { patched, type Patch } from "../support/patched.ts";

/** The kind of effect that this version calls `unlisting` has a new name in the next one, which carries out both. */
const [HERE, THERE] = ["unlisting", "delisting"] as const;

/**
 * The changes that a later version could bring: messages and rows of a second shape, and a kind of effect that this version lacks. The
 * later version reads what this version wrote; this version cannot read the new messages and rows.
 */
const patches: readonly Patch[] = [
  { file: "shared/ports/announcements.ts", find: "v: z.literal(1)", replace: "v: z.literal([1, 2])" },
  { file: "shared/use-cases/outbox/announce-and-commit.ts", find: "{ v: 1, subject,", replace: "{ v: 2, subject," },
  {
    file: "shared/domain/effects.ts",
    find: `  ${HERE}: effect({ queue: "deadlines", of: ["payment"], said: {} }),`,
    replace: [HERE, THERE]
      .map((kind) => `  ${kind}: effect({ queue: "deadlines", of: ["payment"], said: {} }),`)
      .join("\n"),
  },
  { file: "shared/use-cases/outbox/commit-payment.ts", find: `{ kind: "${HERE}" }`, replace: `{ kind: "${THERE}" }` },
  {
    file: "functions/workers/deadlines.ts",
    find: `  ${HERE}: async`,
    replace: `  ${THERE}: async (_deps: object) => "done" as const,\n  ${HERE}: async`,
  },
  { file: "shared/tables/record.ts", find: "const VERSION = 1;", replace: "const VERSION = 2;" },
  {
    file: "shared/tables/record.ts",
    find: "v: VERSION };",
    replace: `v: json.includes('"kind":"${THERE}"') ? VERSION : 1 };`,
  },
];

/** Builds the next version of the app into its own subfolder of the given folder. Returns the folder. */
export async function buildNextVersion(directory: string): Promise<string> {
  const built = join(directory, "next-version");
  await buildApp(built, [patched("the next version", patches)]);
  return built;
}

/** Converts a row of either version to this version. */
export function ofThisVersion(row: Row): Row {
  if (row.columns["v"] !== 2) return row;
  const columns = Object.entries(row.columns).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replaceAll(`"${THERE}"`, `"${HERE}"`) : value,
  ]);
  return { ...row, columns: { ...Object.fromEntries(columns), v: 1 } };
}
