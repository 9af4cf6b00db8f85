import { isColoured } from "../../tools/script.ts";
import { liveLog } from "../logs/live-log.ts";

/** The app's log on standard output. */
export interface ShownLog {
  show(line: string): void;
  /** Shows the lines so far, and from now on each line at once. Earlier lines wait, so that addresses and keys are printed before them. */
  begin(): void;
}

export function newShownLog(): ShownLog {
  const show = liveLog({ isColoured: isColoured(), write: (line) => console.log(line) });
  let waiting: string[] | undefined = [];
  return {
    show: (line) => (waiting ? void waiting.push(line) : show(line)),
    begin() {
      waiting?.forEach(show);
      waiting = undefined;
    },
  };
}
