import { Conflict, Unavailable } from "./failures.ts";

/** The most places of a stack in one line. */
const MAX_PLACES = 8;

/**
 * An error as the log shows it. The message is shown only for the platform's own `Unavailable` and `Conflict`. The message of any other
 * error may hold data of a caller or of a dependency. Such an error shows its name, its code, and the places in the source.
 */
export function loggedError(error: unknown): { readonly error: string; readonly stack?: readonly string[] } {
  if (error instanceof Unavailable || error instanceof Conflict) return { error: `${error.name}: ${error.message}` };
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: nameOfError(error), stack: placesOf(error) };
}

/**
 * An error that holds only what the log shows of the given one: its name, its code and the places. The message is included only if this
 * platform wrote it. Its causes are left out.
 */
export function errorAsLogged(error: unknown): Error {
  const { error: message, stack = [] } = loggedError(error);
  const shown = new Error(message);
  shown.name = error instanceof Error ? error.name : "Error";
  shown.stack = [message, ...stack.map((place) => `    at ${place}`)].join("\n");
  return shown;
}

/** The name of an error, and its code if it has one: `Error ECONNREFUSED`. */
export function nameOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name } = error;
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  return `${name}${code}`;
}

/**
 * Places such as `shared/edge/http/handle-request.ts:72:11`, from the innermost call outwards. The text before the first call is the message,
 * and is left out.
 */
function placesOf({ message, stack = "" }: Error): string[] {
  const calls = stack.slice(message === "" ? 0 : stack.indexOf(message) + message.length);
  const places = calls
    .replaceAll("\\", "/")
    .matchAll(/^ +at .*?\b((?:functions|shared|node_modules)\/[\w./@+-]+:\d+:\d+)\)?$/gm);
  return [...places].slice(0, MAX_PLACES).map(([, place = ""]) => place);
}
