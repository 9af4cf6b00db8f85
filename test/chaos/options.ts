import { newScript, positiveNumber, wholeNumber, type Script } from "../../infra/tools/script.ts";
import { strategyNames, type Strategy } from "./deployments.ts";
import { troubleNames, type Trouble } from "./troubles.ts";

/** The options of a chaos run. */
export interface Options {
  readonly minutes: number;
  readonly terminals: number;
  /** Whether each queue's function has a host of its own. */
  readonly scaleGroups: boolean;
  /** Whether the run goes on to a next version and back, or deploys it. */
  readonly nextVersion: boolean;
  /** Deployments instead of all other faults; undefined for none. */
  readonly deploy: Strategy | undefined;
  /** The only trouble of the dependencies for the whole run; undefined for a mix of all faults. */
  readonly trouble: Trouble | undefined;
  /** The same seed plans the same faults. */
  readonly seed: number;
}

type Typed = Partial<Options> & Pick<Options, "minutes" | "terminals">;

/** The command line of `npm run chaos`. `anySeed` is the seed if the command line names none. */
export function chaosScript(run: (options: Options) => Promise<void>, anySeed: number): Script {
  const script = newScript(
    "npm run chaos --",
    "Runs the app as it is deployed, on the real SDKs and two hosts, while hosts are killed and the network is cut, and checks every payment.",
    ["npm run chaos -- --minutes 5", "npm run chaos -- --minutes 1 --deploy rolling --next-version"],
  );
  return script
    .option("--minutes <number>", "how long the faults go on", positiveNumber, 1)
    .option("--terminals <count>", "the terminals that take payments", wholeNumber, 28)
    .option("--seed <number>", "plans the faults of this seed, not of any", wholeNumber)
    .addOption(script.createOption("--trouble <name>", "has this trouble alone").choices(troubleNames))
    .addOption(script.createOption("--deploy <strategy>", "has deployments alone").choices(strategyNames))
    .option("--scale-groups", "gives each queue's function a host of its own, as Azure does")
    .option("--next-version", "goes on to a next version and back")
    .action(({ minutes, terminals, scaleGroups = false, nextVersion = false, deploy, trouble, seed }: Typed) =>
      run({ minutes, terminals, scaleGroups, nextVersion, deploy, trouble, seed: seed ?? anySeed }),
    );
}
