/**
 * Loads the app's bundle once, as the Node worker does, and prints the cost of that: `{"ms", "cpuMs", "memoryBytes"}`. The app finds no
 * settings, so it loads every module and then refuses to start.
 */
import Module from "node:module";

const [bundle] = process.argv.slice(2);
if (bundle === undefined) throw new Error("usage: load-bundle.ts <main.cjs>");

class Disposable {
  dispose(): void {}
}
const worker = {
  version: "0",
  Disposable,
  registerFunction() {},
  getProgrammingModel: () => ({}),
  setProgrammingModel() {},
  registerHook() {},
};
const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
const load = loader._load;
loader._load = (name, ...rest) => (name === "@azure/functions-core" ? worker : load(name, ...rest));

const [began, cpu] = [performance.now(), process.cpuUsage()];
Module.createRequire(bundle)(bundle);
const { user, system } = process.cpuUsage(cpu);
const figures = { ms: performance.now() - began, cpuMs: (user + system) / 1_000 };
console.log(JSON.stringify({ ...figures, memoryBytes: process.memoryUsage.rss() }));
process.exit(0);
