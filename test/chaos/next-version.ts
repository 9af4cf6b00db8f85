import { join } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import { newestVersion } from "../../shared/ports/stored-forms.ts";
import type { Row } from "../../shared/ports/rows.ts";
import { patched, type Patch } from "../support/patched.ts";

/** This version's effect kind `orderUpdate` has a new name in the next version. */
const [HERE, THERE] = ["orderUpdate", "orderChange"] as const;

/** The stored version number that the next version introduces. */
export const NEXT = newestVersion + 1;

const renaming = (from: string, to: string) =>
  `(content) => JSON.parse(JSON.stringify(content).replaceAll('"${from}"', '"${to}"'))`;

/**
 * An example of a later version's change: rows and messages have a form that this version does not know. The next version reads both forms.
 * It writes the old form until `WRITE_VERSION` switches it to the new one.
 */
const patches: readonly Patch[] = [
  {
    file: "shared/ports/stored-forms.ts",
    find: `  ${newestVersion}: asItIs,`,
    replace: `  ${newestVersion}: { read: ${renaming(HERE, THERE)}, write: ${renaming(THERE, HERE)} },\n  ${NEXT}: asItIs,`,
  },
  { file: "shared/domain/effects.ts", find: `  ${HERE}: effect(`, replace: `  ${THERE}: effect(` },
  {
    file: "shared/domain/payment/life/order-update.ts",
    find: `[{ kind: "${HERE}" }]`,
    replace: `[{ kind: "${THERE}" }]`,
  },
  { file: "shared/ports/queues.ts", find: `  ${HERE}: "`, replace: `  ${THERE}: "` },
  { file: "functions/workers/terminal-messages.ts", find: `  ${HERE}: (`, replace: `  ${THERE}: (` },
  // A row without new content keeps its version, so that the run's operator, which has this version, can read it.
  {
    file: "shared/stores/record.ts",
    find: "v: newestVersion };",
    replace: `v: storedJson(record).includes('"${THERE}"') ? newestVersion : ${newestVersion} };`,
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
  if (row.columns["v"] !== NEXT) return row;
  const columns = Object.entries(row.columns).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replaceAll(`"${THERE}"`, `"${HERE}"`) : value,
  ]);
  return { ...row, columns: { ...Object.fromEntries(columns), v: newestVersion } };
}
