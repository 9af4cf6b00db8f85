import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp, builtApp } from "../../infra/tools/build.ts";
import { defineBench, whole } from "./bench.ts";
import { onStack } from "./bench-stack.ts";
import { withFleet } from "./fleet.ts";
import { functionOfFrame, packageOfFrame, selfTimes, sourcesOf, type CpuProfile } from "./self-times.ts";
import { round } from "./statistics.ts";

const SHOWN = 25;

/** The distribution of the functions host's CPU time. */
export const profile = defineBench({
  means: "the CPU time of the functions host under the load of loop: self time by package and by function",
  options: {
    terminals: whole(16, "terminals that pay at once, each in turn"),
    seconds: whole(20, "seconds of load"),
  },
  async run({ terminals, seconds }) {
    await buildApp();
    const directory = await mkdtemp(join(tmpdir(), "bench-profile-"));
    try {
      // Settings are the host's environment. Node writes the profile to this folder when the host ends.
      const settings = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}` };
      const payments = await onStack({ settings }, (stack) =>
        withFleet(stack, terminals, (fleet) =>
          fleet.whilePolling(terminals, async () => (await fleet.payFor(terminals, seconds)).samples.length),
        ),
      );
      const [file] = (await readdir(directory)).filter((name) => name.endsWith(".cpuprofile"));
      if (file === undefined) throw new Error("the functions host wrote no profile");
      const read = JSON.parse(await readFile(join(directory, file), "utf8")) as CpuProfile;
      const sourceOf = sourcesOf(await readFile(join(builtApp, "app.cjs"), "utf8"));
      const bundle = { sourceOf, isBundle: (url: string) => url.endsWith("/app.cjs") };
      const times = selfTimes(read, (frame) => packageOfFrame(frame, bundle));
      const functions = selfTimes(read, (frame) => functionOfFrame(frame, bundle));
      const all = times.reduce((sum, { ms }) => sum + ms, 0);
      const rows = (of: typeof times) =>
        of
          .slice(0, SHOWN)
          .map(({ name, ms }) => [name, Math.round(ms), round((100 * ms) / all), round(ms / payments, 2)]);
      const columns = ["ms", "%", "ms a payment"];
      return {
        tables: [
          {
            title: `Self time of the functions host over ${payments} payments, its start included: ${Math.round(all)} ms`,
            columns: ["package", ...columns],
            rows: rows(times),
          },
          { title: "The same by function", columns: ["function", ...columns], rows: rows(functions) },
        ],
        figures: { terminals, seconds, payments, times, functions },
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
});
