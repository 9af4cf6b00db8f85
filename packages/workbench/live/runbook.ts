import { readFile } from "node:fs/promises";
import { asTyped } from "../../../infra/tools/typed-command.ts";
import type { RunbookEntry, RunbookView } from "./views/alerts.ts";

const RUNBOOK = new URL("../../../docs/runbook.md", import.meta.url);

/** The runbook's entries about each alert, and about the dead letters of each queue. */
export const readRunbook = async (): Promise<RunbookView> => runbookOf(await readFile(RUNBOOK, "utf8"));

/** The same, from the runbook's text. A section without the line about the customer's money is left out. */
export const runbookOf = (text: string): RunbookView => ({
  alerts: entriesOf(text, "Alerts"),
  deadLetters: entriesOf(text, "Dead letters"),
});

function entriesOf(text: string, chapter: string): Readonly<Record<string, RunbookEntry>> {
  const [, ...chapters] = `\n${text}`.split("\n## ");
  const found = chapters.find((one) => one.startsWith(`${chapter}\n`)) ?? "";
  const [, ...sections] = found.split("\n### ");
  return Object.fromEntries(
    sections.flatMap((section) => {
      const name = section.slice(0, section.indexOf("\n")).trim();
      const entry = entryOf(section);
      return entry ? [[name, entry]] : [];
    }),
  );
}

function entryOf(section: string): RunbookEntry | undefined {
  const line = (what: string) => new RegExp(`^- \\*\\*${what}\\*\\*: (.+)$`, "m").exec(section)?.[1];
  const [money, lookAt, toDo] = [line("The customer's money"), line("Look at"), line("Do")];
  if (money === undefined) return undefined;
  return {
    money: plain(money),
    ...(lookAt !== undefined && { lookAt: plain(lookAt) }),
    ...(toDo !== undefined && { toDo: plain(toDo) }),
  };
}

/** Removes links and bold marks, and writes commands as the user types them. Backticks stay, because the page shows the text between them as code. */
const plain = (text: string): string => asTyped(text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll("**", ""));
