// npm runs this after each install. Node 22.19 or newer is used as it is. For an older Node, this installs Node 24 by its own lock file,
// and npm scripts run that one. If there is no package for the system, it says what to install, and the install continues.
const { spawnSync } = require("node:child_process");
const { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const { join, relative } = require("node:path");

const root = join(__dirname, "../..");
const folder = join(__dirname, "node");
const bin = join(root, "node_modules/.bin");
const isWindows = process.platform === "win32";
const INSTEAD =
  "Install Node 22.19 or newer (24 is what Azure runs) from https://nodejs.org or with your version manager.";

function isNewEnough() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/**
 * The environment without npm's own options, such as `--workspace` or `--omit`, which npm passes to scripts. Options of the network stay.
 */
function environment() {
  const network =
    /^npm_config_(registry|proxy|https_proxy|noproxy|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|offline|prefer_offline|cache)$/i;
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name) || network.test(name));
  return Object.fromEntries(kept);
}

/** Installs the package of this system. Returns its program; undefined if there is none. */
function installed() {
  const npm = process.env.npm_execpath;
  const [command, words] = npm ? [process.execPath, [npm, "ci"]] : ["npm", ["ci"]];
  spawnSync(command, words, { cwd: folder, env: environment(), stdio: "ignore", shell: !npm && isWindows });
  const system = `${isWindows ? "win" : process.platform}-${process.arch}`;
  const program = join(folder, `node_modules/node-${system}/bin/node${isWindows ? ".exe" : ""}`);
  const runs = existsSync(program) && spawnSync(program, ["--version"]).status === 0; // not on musl
  return runs ? program : undefined;
}

function link(program) {
  mkdirSync(bin, { recursive: true });
  if (isWindows) return writeFileSync(join(bin, "node.cmd"), `@"${program}" %*\r\n`);
  rmSync(join(bin, "node"), { force: true });
  symlinkSync(relative(bin, program), join(bin, "node"));
}

function main() {
  if (isNewEnough()) {
    for (const name of ["node", "node.cmd"]) rmSync(join(bin, name), { force: true }); // of an installation by an older Node
    return;
  }
  const own = `Node ${process.versions.node} is too old for this project.`;
  const program = installed();
  if (program === undefined) return console.log(`${own} ${INSTEAD}`);
  link(program);
  console.log(`${own} Node 24 was installed in addition, only for the npm scripts of this folder.`);
}

main();
