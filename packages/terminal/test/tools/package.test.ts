import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { installedPackage } from "../../../local-azure/common/test/installed-package.ts";

it("the kit and the simulated terminal start from their tarball, in a folder with their dependencies alone", async () => {
  const { folder, target, bin } = await installedPackage(resolve(import.meta.dirname, "../.."));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = (name: string) => join(target, bin[name] ?? "");
  const terminal = `"${process.execPath}" "${program("simulated-terminal")}"`;
  const words = [program("terminal-kit"), "--only", "approval", "--terminal", terminal];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder });
  expect(stdout).toContain("\ndevice  Example Terminals Pocket 1 · serial number SIM-1 · ");
  expect(stdout).toContain("1 passed, 0 failed");
});
