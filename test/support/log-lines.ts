import type { LoggedLine } from "./collected-log.ts";

/** The lines of the app's log, from the whole output of its host. */
export const logLinesIn = (written: string): LoggedLine[] =>
  written.split("\n").flatMap((line) => {
    const [json] = /\{"event":.*\}$/.exec(line) ?? [];
    return json === undefined ? [] : [JSON.parse(json) as LoggedLine];
  });
