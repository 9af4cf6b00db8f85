import type { LogMembers } from "./log-members.ts";

/** The members that each line of one request or worker run carries. */
const scopeMembers = [
  "requestID",
  "trace",
  "function",
  "partner",
  "key",
  "claimedKey",
  "user",
  "claimedUser",
  "refused",
  "terminal",
  "session",
  "chargeID",
  "refundID",
  "actionRequest",
  "landingPage",
  "tokenRequest",
  "day",
] as const satisfies readonly (keyof LogMembers)[];
type ScopeMember = (typeof scopeMembers)[number];

interface Event {
  readonly level: "information" | "warning" | "error";
  /** It is written in ordinary work. Every other event has its own heading in the runbook. */
  readonly routine?: true;
  /** It concerns the process. It never carries the members of the request or worker run in which it is written. */
  readonly ofProcess?: true;
  readonly means: string;
  readonly members: readonly (keyof LogMembers)[];
}

/** The events of the log. A line is one event, with its own members and those of its request or worker run. */
export const logEvents = {
  started: {
    level: "information",
    routine: true,
    ofProcess: true,
    means: "A process of the app has started.",
    members: [],
  },
  notStarted: {
    level: "error",
    ofProcess: true,
    means:
      "A process of the app cannot start, because the setting is missing or wrong. Every operation gets 503, and messages stay in their queues.",
    members: ["setting", "reason", "error", "stack"],
  },
  identityFailed: {
    level: "error",
    ofProcess: true,
    means:
      "The app's identity got no token for ten minutes, and no older token is valid. The process ends, and the host starts another.",
    members: [],
  },
  stopping: {
    level: "information",
    routine: true,
    ofProcess: true,
    means: "A process of the app ends. Azure's host seldom logs it, because its logger ends first.",
    members: [],
  },
  request: {
    level: "information",
    routine: true,
    means: "A request got its response. A poll that hands out no message writes no line.",
    members: ["status", "code", "ms"],
  },
  worker: {
    level: "information",
    routine: true,
    means:
      "A worker has handled one delivery of a message. A first delivery that is done in time writes no line, unless it is a deadline's.",
    members: ["queue", "commandID", "effect", "outcome", "attempt", "tries", "dueMs", "queueAgeMs", "ms"],
  },
  webhookAttempt: {
    level: "information",
    routine: true,
    means: "One attempt to deliver an event to the partner's server.",
    members: ["eventID", "effect", "attempt", "outcome", "reason", "status", "dueMs", "ms"],
  },
  mail: {
    level: "information",
    routine: true,
    means: "One attempt to mail a voucher or key.",
    members: ["attempt", "outcome", "reason", "dueMs", "ms"],
  },
  reconcilingEntered: {
    level: "warning",
    means: "The outcome of a payment is not known.",
    members: ["sequence", "reason"],
  },
  reconcilingLeft: {
    level: "information",
    means: "The outcome of a payment that was `reconciling` is known.",
    members: ["sequence", "outcome", "reason"],
  },
  alertRaised: {
    level: "error",
    means: "The platform raised an alert for an operator.",
    members: ["alert", "about", "day", "sequence", "cause"],
  },
  alertMended: {
    level: "information",
    means: "The cause of an alert is over. The alert does not change: it stays open until an operator closes it.",
    members: ["alert", "about", "day", "sequence", "cause"],
  },
  reportCounted: {
    level: "warning",
    means:
      "A rejected report about money is only counted in its alert, because the alert has enough other reports. This line is the only record of it.",
    members: [
      "alert",
      "cause",
      "reportType",
      "reportID",
      "messageID",
      "discountID",
      "amount",
      "currency",
      "businessDay",
    ],
  },
  requestFailed: {
    level: "error",
    means: "A request failed because of an error in the platform itself. Its caller got 500.",
    members: ["error", "stack"],
  },
  effectFailed: {
    level: "error",
    means: "A worker failed because of an error in the platform itself, and retries.",
    members: ["queue", "commandID", "effect", "tries", "dueMs", "error", "stack"],
  },
  deliveryFailed: {
    level: "error",
    means: "A worker threw an error. The broker delivers the message again, or moves it to the dead letters.",
    members: ["queue", "tries", "error", "stack"],
  },
  dependencyUnavailable: {
    level: "warning",
    means: "The tables or the bus did not respond to a request, or another writer was first. The caller got 503.",
    members: ["reason", "error"],
  },
  backOff: {
    level: "warning",
    means: "The tables or the bus did not respond to a worker. It retries later.",
    members: ["queue", "commandID", "effect", "reason", "tries", "dueMs", "error"],
  },
  messageHeld: {
    level: "warning",
    means: "The bus does not accept a copy of a message. The worker holds the message for up to four minutes.",
    members: ["reason", "error"],
  },
  versionAhead: {
    level: "warning",
    means: "A later version of the app wrote a message or a row. It is left to that version.",
    members: ["queue", "reason", "tries", "dueMs", "error"],
  },
  slowCommit: {
    level: "warning",
    means: "More than a second passed from the first announcement of a change to its commit.",
    members: ["commandID", "ms"],
  },
  webhookGivenUp: {
    level: "warning",
    means: "The partner's server did not accept an event, and there are no more attempts.",
    members: ["eventID", "effect", "attempt", "outcome", "reason", "status"],
  },
  mailGivenUp: {
    level: "warning",
    means: "The mail server did not accept a mail, and there are no more attempts.",
    members: ["attempt", "outcome", "reason"],
  },
  rehashFailed: {
    level: "warning",
    means: "A key could not be hashed again with the first pepper. It stays valid with the older one.",
    members: ["error", "stack"],
  },
  keyUseNotNoted: {
    level: "warning",
    means: "The day and network of a key's use could not be stored. The next use of the key tries again.",
    members: ["error", "stack"],
  },
  bellsImpaired: {
    level: "warning",
    ofProcess: true,
    means: "Bells could not be written or read. Terminals get their messages some seconds later.",
    members: ["tries", "error"],
  },
  tracesImpaired: {
    level: "warning",
    ofProcess: true,
    means: "The address for traces did not accept spans. Some are missing.",
    members: ["tries", "error"],
  },
} as const satisfies Readonly<Record<string, Event>>;

export type EventName = keyof typeof logEvents;

type Some<Member extends keyof LogMembers> = { readonly [M in Member]?: LogMembers[M] | undefined };

/** The members of the request or worker run that is under way. */
export type ScopeNames = Some<ScopeMember>;
/** The members of a line of this event. */
export type LineOf<Name extends EventName> = Some<(typeof logEvents)[Name]["members"][number] | ScopeMember>;

/** Every member that a line of this event may have. */
export const membersOf = (name: EventName): readonly (keyof LogMembers)[] => [
  ...scopeMembers,
  ...logEvents[name].members,
];

/** The trace identifier of a `traceparent`. */
export const traceOf = (traceparent: string | undefined): string | undefined => traceparent?.split("-")[1];

/** Takes finished lines by their level. It is the console, or the logger of one invocation. */
export interface LineOutput {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** The platform's log. */
export interface Log {
  write<Name extends EventName>(event: Name, line: LineOf<Name>): void;
  /**
   * Runs the work of one request or message. Every line that is written in it, at any depth, carries these names and goes to this output. A
   * line that is written after its end goes to the log of the process.
   */
  within<T>(names: ScopeNames, output: LineOutput, work: () => Promise<T>): Promise<T>;
  /** Adds names to every later line of the request or worker run that is under way. Without one it does nothing. */
  note(names: ScopeNames): void;
}
