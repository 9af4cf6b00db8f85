import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** The packages are ES modules only. Node can require them from 22.12 on, which `engines` demands. */
const MEANT = new Set(["CJSResolvesToESM"]);

// `node check.js <package.tgz>` checks a package as npm has packed it. If publint or attw complain, it prints their complaints and exits
// with 1.

/** Throws if the tarball has no readable package. */
async function complaintsAbout(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) return ["attw finds no types"];
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...analysis.problems.filter(({ kind }) => !MEANT.has(kind)).map((problem) => JSON.stringify(problem)),
  ];
}

const complaints = await complaintsAbout(new Uint8Array(await readFile(process.argv[2] ?? "")));
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;
