import type { TerminalMessage } from "./terminal-message.ts";
import type { Instant } from "./time.ts";

/** What waits for silence to end; each is a scheduled message that belongs to the command that announced it. */
export type Deadline = "acceptance" | "expiry" | "answer" | "capture" | "outcome";

/** What a committed command makes happen elsewhere. A worker carries each effect out by itself and marks it done by itself. */
export type Effect =
  /** Take the terminal (and the order) for this payment, and file its message; or end the payment as refused. */
  | { readonly kind: "admission"; readonly message: TerminalMessage }
  | { readonly kind: "message"; readonly message: TerminalMessage }
  /** Give back whatever the payment no longer holds. */
  | { readonly kind: "release" }
  | { readonly kind: "deadline"; readonly deadline: Deadline; readonly due: Instant }
  | { readonly kind: "webhook"; readonly type: string };

/** Names one effect within its command; a command never has the same one twice. */
export function effectId(effect: Effect): string {
  switch (effect.kind) {
    case "admission":
    case "message":
    case "release":
      return effect.kind;
    case "deadline":
      return `deadline~${effect.deadline}`;
    case "webhook":
      return `webhook~${effect.type}`;
  }
}
