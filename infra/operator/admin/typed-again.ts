import { quoted } from "../../tools/typed-command.ts";

/** The command line's words with this value of the option instead of the typed one, quoted for a POSIX shell. */
export const typedAgain = (words: readonly string[], option: string, value: string): string =>
  [...without(option, words), option, value].map(quoted).join(" ");

const without = (option: string, words: readonly string[]): readonly string[] =>
  words.filter((word, i) => word !== option && words[i - 1] !== option && !word.startsWith(`${option}=`));
