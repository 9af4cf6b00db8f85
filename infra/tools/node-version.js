// Plain JavaScript that any Node parses. npm runs it before start and test. Scripts that touch Azure run it with `--own`: it refuses the
// fallback Node then.
import { refusalOfFallback } from "./fallback-node.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const tooOld =
  `Node ${process.versions.node} is too old: this needs Node 22.19 or newer (24 is what Azure runs).\n` +
  "`node infra/tools/postinstall.cjs` installs Node 24 for this folder, if there is a package of it for your system.\n" +
  "Or install it from https://nodejs.org or with your version manager.";
const isTooOld = major < 22 || (major === 22 && minor < 19);
const refusal = isTooOld ? tooOld : process.argv.includes("--own") ? refusalOfFallback() : undefined;
if (refusal !== undefined) {
  console.error(refusal);
  process.exit(1);
}
