import { dayIsSettled } from "../../domain/terminal-day/terminal-day.ts";
import type { TerminalDayKey } from "../../ports/subjects.ts";
import type { TerminalDays } from "../../stores/terminal-days.ts";
import type { SubjectRules } from "../outbox/subject.ts";

/** The outbox's rules for a terminal's business day. */
export const daySubject = (stores: { readonly terminalDays: TerminalDays }): SubjectRules<TerminalDayKey> => ({
  async find(key) {
    const read = await stores.terminalDays.find(key);
    if (!read) return undefined;
    const terminalDay = { ...read.terminalDay, listedOn: undefined };
    return {
      hasEnded: dayIsSettled(read.terminalDay),
      unlist: () => stores.terminalDays.commit({ terminalDay, etag: read.etag, command: undefined }),
    };
  },
});
