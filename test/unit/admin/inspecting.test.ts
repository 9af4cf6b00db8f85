import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { shownOn } from "../../support/admin.ts";

const [partner, session] = [randomUUID(), randomUUID()];
const WHICH_SUBJECT = "Use --session, or --terminal with --day, or --action-request.";

/** The complaint of a command before it reads anything. */
const complaint = (words: readonly string[]): Promise<string> =>
  shownOn(() => Promise.reject(new Error("connected")), words).then(
    () => "nothing",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

it.each([
  ["payment", "show", "--partner", partner, "--session", session.toUpperCase()],
  ["payment", "timeline", "--partner", partner, "--session", session],
  ["payment", "why", session],
  ["payment", "why", "gateway-0001.a", "--day", "2026-11-21", "--partner", partner],
  ["webhook", "set-url", "--partner", partner, "--url", "https://partner.example/events"],
  ["webhook", "deliveries", "--partner", partner, "--failed"],
  ["webhook", "deliveries", "--partner", partner, "--day", "2026-11-21"],
  ["webhook", "list", "--partner", partner, "--terminal", session, "--day", "2026-11-21"],
  ["webhook", "replay", "--partner", partner, "--session", session],
  ["webhook", "replay", "--partner", partner, "--terminal", session, "--day", "2026-11-21"],
  ["webhook", "replay", "--partner", partner, "--action-request", session],
  ["dead-letter", "list"],
  ["dead-letter", "list", "--queue", "webhook-retries"],
  ["dead-letter", "show", "deadlines", "17"],
  ["dead-letter", "replay", "deadlines", "17"],
  ["dead-letter", "replay", "deadlines", "--all", "--yes"],
  ["dead-letter", "purge", "mails", "17"],
])("%s %s takes %s %s %s %s", async (...words) => {
  expect(await complaint(words)).toBe("connected");
});

it.each([
  [["payment", "show", "--partner", partner], /^Required option '--session <sessionID>' not specified\./],
  [["payment", "timeline", "--partner", "p", "--session", session], "--partner is an identifier: a UUID."],
  [["payment", "why"], /^Missing required argument 'requestID\|sessionID'\./],
  [["payment", "why", "a b c d e f"], "Name a requestID or a sessionID: 8 to 64 letters, digits, dots or dashes."],
  [["payment", "why", session, "--day", "today"], "--day takes a day, such as 2026-11-21."],
  [["webhook", "set-url", "--partner", partner], /^Required option '--url <url>' not specified\./],
  [["webhook", "deliveries", "--failed"], /^Required option '--partner <partnerID>' not specified\./],
  [["webhook", "deliveries", "--partner", partner, "--day", "1"], "--day takes a day, such as 2026-11-21."],
  [["webhook", "replay", "--partner", partner], WHICH_SUBJECT],
  [["webhook", "replay", "--partner", partner, "--terminal", session], WHICH_SUBJECT],
  [["webhook", "replay", "--partner", partner, "--session", session, "--day", "2026-11-21"], WHICH_SUBJECT],
  [["webhook", "list", "--partner", partner, "--session", session, "--action-request", session], WHICH_SUBJECT],
  [["dead-letter", "list", "--queue", "orders"], /^--queue is one of terminal-messages, /],
  [["dead-letter", "show", "deadlines"], /^Missing required argument 'sequenceNumber'\./],
  [["dead-letter", "show", "deadlines", "-1"], "A sequence number is a whole number, such as 17."],
  [["dead-letter", "replay", "deadlines", "0"], "A sequence number is a whole number, such as 17."],
  [["dead-letter", "replay", "deadlines"], "Name one dead letter by its number, or use --all."],
  [["dead-letter", "purge", "deadlines", "17", "--all"], "Name one dead letter by its number, or use --all."],
])("refuses %j: %s", async (words, message) => {
  expect(await complaint(words)).toMatch(message);
});

it.each([
  ["http://partner.example/", false, "--url must use https."],
  ["https://10.0.0.1/", false, "--url must not point to a private or reserved address."],
  ["https://127.0.0.1/", false, "--url must not point to a private or reserved address."],
  ["https://user:secret@partner.example/", true, "--url must not contain credentials."],
])(
  "webhook set-url refuses addresses that a request may not name: %s, on this machine: %s",
  async (url, isLocal, message) => {
    const cloud = { tables: "no connection", serviceBus: "none", isLocal, around: {} };
    const set = shownOn(async () => cloud, ["webhook", "set-url", "--partner", partner, "--url", url]);
    await expect(set).rejects.toThrow(message);
  },
);
