import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** ES modules only: Node can require them from 22.12 on, which `engines` demands. */
const MEANT: ReadonlySet<Problem["kind"]> = new Set(["CJSResolvesToESM"]);

/** What publint and attw complain of in the package as npm has packed it. Throws where the tarball has no readable package. */
export async function complaintsAbout(tarball: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) return ["attw finds no types"];
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...analysis.problems.filter(({ kind }) => !MEANT.has(kind)).map((problem) => JSON.stringify(problem)),
  ];
}
