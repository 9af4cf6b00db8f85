/** One line of output that grows while a stack starts. */
export interface Progress {
  /** Says that this part is ready. */
  ready(part: string): void;
  /** Ends the line, if it has not ended. */
  end(): void;
}

export function newProgress(write = (text: string) => void process.stdout.write(text)): Progress {
  let [before, after] = ["Starting: ", "\n"];
  return {
    ready(part) {
      write(`${before}${part}`);
      before = ", ";
    },
    end() {
      write(after);
      after = "";
    },
  };
}
