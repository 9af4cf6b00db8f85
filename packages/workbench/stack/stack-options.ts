import type { Opening } from "../../local-azure/common/loopback-only.ts";
import type { Dependencies } from "./ports.ts";
import type { OnPublished } from "./published.ts";

export type Settings = Readonly<Record<string, string>>;

export interface StackOptions {
  /**
   * `fixed`: the public ports are fixed, as are the demo's identifiers and keys. `free`: free ports, with new identifiers and keys.
   */
  readonly ports: "fixed" | "free";
  /** The folder for logs, keys and `stack.json`. */
  readonly directory: string;
  /**
   * App settings in addition to the stack's own, such as deadlines; or a function with those of each host. Read at each start of a host.
   */
  readonly settings?: Settings | ((host: number) => Settings);
  /** The number of the app's hosts that get requests. They share tables, queues and keys. Default: one. */
  readonly hosts?: number;
  /** Gives each queue's function a host of its own, as Azure does. The other hosts then run only the HTTP functions. */
  readonly scaleGroups?: boolean | undefined;
  /** The folder of the built app for a host, read at each of its starts. Default: the last build. */
  readonly app?: (host: number) => string;
  /** Places something between a host of the app and its dependencies, for tests that disturb them. Resolves with the ports to use. */
  readonly between?: (real: Dependencies, host: number) => Promise<Dependencies>;
  /** The settings of every queue, instead of `infra/azure/service-bus/overrides.json`. */
  readonly queueOverrides?: Readonly<Record<string, unknown>>;
  /** Receives the name of each part when it is ready. */
  readonly onReady?: (part: string) => void;
  /** Receives each line that the app and its hosts write. */
  readonly onAppLine?: (line: string) => void;
  /** Receives the items that the parts publish. If left out, they publish nothing. */
  readonly onPublished?: OnPublished;
  /**
   * The stack's live page. Webhooks of the demo partner go to its receiver. The app's traces go to its server, unless the environment names
   * another address for them.
   */
  readonly live?: { readonly url: string; readonly webhookUrl: string };
  /** The addresses of the pages next to the live page, for the stack file. */
  readonly pages?: { readonly reference: string; readonly landingPage: string };
  /** The address of the page of problems. Left out if it is not served. */
  readonly problemPagesUrl?: string;
  /** The duration of one step of the autopilot, in milliseconds. */
  readonly paceMs?: number;
  /**
   * The folder in which tables, mails and the memories of simulated terminals outlive the stack. The next stack with this folder continues
   * with them. Its queues are in memory, so it announces again every effect that is not carried out. Identifiers and keys are the fixed
   * ones on all ports. The folder must exist, and serve one stack at a time.
   */
  readonly keep?: string | undefined;
  /** Puts one host behind a front end, so that `replaceFunctions` can replace it. */
  readonly isReplaceable?: boolean | undefined;
  /** Called if a replaceable host ends by itself, and at the stack's stop. */
  readonly onHostEnded?: (() => void) | undefined;
  /**
   * Stops hosts as Azure does: they cut off what runs after this many seconds (Azure: 30). If left out, the app first ends its long polls.
   */
  readonly azureStopSeconds?: number | undefined;
  /** Opens the first host to debuggers on this port of loopback. 0 chooses a free port, which the host's log names. */
  readonly inspect?: number | undefined;
  /** The address and name at which the gateway is reached, in addition to loopback. */
  readonly open?: Opening | undefined;
  /** Does not start the autopilot of the demo's terminal. The caller does. */
  readonly withoutAutopilot?: boolean;
  /**
   * Starts without tables, partner, terminals and template, which an operator then makes. The members of `demo` about a partner are empty.
   */
  readonly isEmpty?: boolean;
}
