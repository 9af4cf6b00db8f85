import type { Dependencies } from "./ports.ts";
import type { HearPublished } from "./published.ts";

export type Settings = Readonly<Record<string, string>>;

export interface StackOptions {
  /** The fixed ports, with the demo's fixed identifiers and keys; or free ones, with new ones. */
  readonly ports: "fixed" | "free";
  /** The folder for logs, keys and `stack.json`. */
  readonly directory: string;
  /** App settings besides those that the stack itself sets: deadlines, for instance; or those of each host. Read at each start of a host. */
  readonly settings?: Settings | ((host: number) => Settings);
  /** The number of the app's hosts, which share tables, queues and keys; one where left out. */
  readonly hosts?: number;
  /** The folder of the built app for a host, read at each of its starts; the last build where left out. */
  readonly app?: (host: number) => string;
  /** What is placed between each host of the app and its dependencies, in tests that disturb them. */
  readonly between?: (real: Dependencies, host: number) => Promise<Dependencies>;
  /** The settings of every queue, in place of `infra/azure/service-bus/overrides.json`. */
  readonly queueOverrides?: Readonly<Record<string, unknown>>;
  /** Receives each line that the app and its hosts write. */
  readonly onAppLine?: (line: string) => void;
  /** Receives what the parts publish; where left out they publish nothing. */
  readonly onPublished?: HearPublished;
  /**
   * The address of the stack's live page: webhooks of the demo partner go to its receiver, and the app's traces to its server, unless the
   * environment names another address for them.
   */
  readonly live?: { readonly url: string; readonly webhookUrl: string };
  /** The address at which the page of problems is served; left out if it is not. */
  readonly problemPagesUrl?: string;
  /** Milliseconds of one step of the autopilot. */
  readonly paceMs?: number;
  /**
   * The folder in which tables, mails and the memories of played terminals outlive the stack. The next stack on it goes on with them: the
   * queues, which are in memory, get the announcements of what is not carried out. Identifiers and keys are then the fixed ones on all
   * ports. It must exist, and serve one stack at a time.
   */
  readonly keep?: string | undefined;
  /** Puts one host behind a front end, so that `replaceFunctions` can put another in its place. */
  readonly isReplaceable?: boolean | undefined;
  /** Called where a replaceable host ends by itself, and at the stack's stop. */
  readonly onHostEnded?: (() => void) | undefined;
  /** Stops hosts as Azure does, which cuts what waits after 30 of these seconds. If left out, the app first ends what waits. */
  readonly azureStopSeconds?: number | undefined;
  /** Opens the first host to debuggers on this port of loopback; 0 for a free one, which the host's log names. */
  readonly inspect?: number | undefined;
  /** Another address of this machine on which the gateway listens beside loopback. */
  readonly host?: string | undefined;
  /** Leaves the demo's terminal on autopilot to the caller. */
  readonly withoutAutopilot?: boolean;
  /** Starts without tables, partner, terminals and template: an operator makes them. The members of `demo` about a partner are empty. */
  readonly isEmpty?: boolean;
}
