import type { FaultView, FaultInput } from "../../../views/faults.ts";

// The faults in words: what each of them is, and what the platform does during it.

export type Service = FaultInput["service"];

const tableKinds = {
  away: "Away: connections are cut",
  silent: "Silent: no response at all",
  busy: "Busy: refuses, and asks for a later retry",
  forbidden: "Forbidden: refuses the platform's rights (403)",
  slow: "Slow: every response comes later",
} as const;
const queueKinds = { ...tableKinds, full: "Full: takes no more messages" } as const;

/** The kinds of fault of a service, each with its description. */
export const kindsOf = (service: Service): readonly (readonly [kind: string, text: string])[] =>
  Object.entries(service === "tables" ? tableKinds : queueKinds);

export interface Preset {
  readonly title: string;
  readonly text: string;
  readonly input: FaultInput;
}

export const presets: readonly Preset[] = [
  {
    title: "Tables away for ten seconds",
    text: "No record can be read or written.",
    input: { service: "tables", kind: "away", seconds: 10 },
  },
  {
    title: "Bus silent for ten seconds",
    text: "No message is accepted or delivered.",
    input: { service: "queues", kind: "silent", seconds: 10 },
  },
  {
    title: "Tables forbidden for ten seconds",
    text: "The platform has lost its access rights.",
    input: { service: "tables", kind: "forbidden", seconds: 10 },
  },
  {
    title: "Tables slow for thirty seconds",
    text: "Every response takes 700 ms longer.",
    input: { service: "tables", kind: "slow", seconds: 30, milliseconds: 700 },
  },
];

/** The service that an active fault affects. */
export const serviceOf = ({ target }: Pick<FaultView, "target">): Service =>
  target.includes("queue") ? "queues" : "tables";

/** An active fault in a few words: "no response at all", "every response 700 ms later". */
export function kindText({ kind, milliseconds }: Pick<FaultView, "kind" | "milliseconds">): string {
  if (kind === "slow" && milliseconds !== undefined) return `every response ${milliseconds} ms later`;
  const found = kindsOf("queues").find(([name]) => name === kind)?.[1];
  return found === undefined ? kind : found.replace(/^\w+: /, "");
}

const meanwhile: Readonly<Record<Service, string>> = {
  tables:
    "No record can be read or written, so nothing is accepted that could be lost. Requests get 503 with Retry-After, terminals keep their reports and retry them, and messages wait for a later attempt.",
  queues:
    "Every change is announced on the bus before it is committed. Without the bus, nothing is committed. Requests get 503, terminals retry their reports, and messages on the bus wait there.",
};
const slowly =
  "Everything continues, but later. A request has three seconds. A request that takes longer gets 503 and can be retried.";
const calm =
  "Start a fault while a payment is under way. The payment still ends with the outcome of the card: not lost, not doubled, not guessed.";

/** The platform's behaviour during these faults: one sentence for each affected service. */
export function doneMeanwhile(faults: readonly Pick<FaultView, "target" | "kind">[]): readonly string[] {
  if (faults.length === 0) return [calm];
  return [...new Set(faults.map((fault) => (fault.kind === "slow" ? slowly : meanwhile[serviceOf(fault)])))];
}
