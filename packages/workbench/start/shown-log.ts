import { isColoured } from "../../../infra/tools/script.ts";
import { liveLog, type LiveLogOptions } from "../logs/live-log.ts";

/** The app's log on standard output. */
export interface ShownLog {
  show(line: string): void;
  /** Shows the lines so far, and from now on each line at once. Earlier lines wait, so that addresses and keys are printed before them. */
  begin(options: Omit<LiveLogOptions, "isColoured">): void;
}

export function newShownLog(): ShownLog {
  const waiting: string[] = [];
  let show = (line: string): void => void waiting.push(line);
  return {
    show: (line) => show(line),
    begin(options) {
      const textOf = liveLog({ ...options, isColoured: isColoured() });
      show = (line) => {
        const text = textOf(line);
        if (text !== undefined) console.log(text);
      };
      waiting.forEach(show);
    },
  };
}
