import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { alertKinds } from "../../shared/domain/alert-kinds.ts";
import { operatorOf } from "../support/admin.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { partnerOn } from "../support/partner.ts";
import { startTroubledStack, type TroubledStack } from "../support/troubled-stack.ts";
import { LONG, waitFor } from "../support/wait-for.ts";

let troubled: TroubledStack;
beforeAll(async () => {
  troubled = await startTroubledStack({
    settings: { OFFLINE_AFTER_SECONDS: "600" },
    queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 }, // a dead host keeps its locks
  });
});
afterAll(async () => troubled.stop());

interface Shown {
  readonly alert: string;
  readonly about?: string;
  readonly count: number;
}

it("a contradicting report raises an alert despite crashes on the way, and again after it was closed", async () => {
  const { stack, log } = troubled;
  const { printed, shown } = operatorOf(stack.file);
  const added = await stack.addPartner();
  const partner = partnerOn(stack.file, added);
  await partner.silent.online();
  const body = partner.request();
  const { sessionID } = body;
  await partner.pay(body);
  const message = await partner.silent.approve(sessionID);
  const { charges } = await partner.until(sessionID, "authorized");
  const about = charges[0]?.chargeID ?? "";
  expect(await shown<Shown[]>("alert", "list")).toEqual([]);

  const killed = troubled.killedAt({ at: (written) => written.includes("open~"), fate: "drop-response" });
  const contradiction = { reportID: randomUUID(), detail: "by the customer" };
  const sendReport = () => partner.silent.sendReport(message, "voided", contradiction);
  await Promise.all([killed, sendReport().catch(() => "the connection is gone")]);
  await stack.startFunctions();
  await waitFor("the report told again", sendReport, { ...LONG, until: (status) => status === 200 });
  const refundID = randomUUID();
  const made = { messageID: undefined, refundID, amount: 1, currency: "SEK" };
  expect(await partner.silent.sendReport(message, "refunded", made)).toBe(200);
  const alert = "contradictingReport";
  const named = { alert, partnerID: added.partnerID, sessionID, status: "open", count: 1 };
  const listed = [
    { ...named, about },
    { ...named, about: refundID },
  ];
  await expect.poll(() => shown<Shown[]>("alert", "list")).toMatchObject(listed);
  const row = new RegExp(
    `^${alert}  ${sessionID}  Silent of Demo Kiosk: The payment's own charge of 125.50 SEK \\(${about.slice(0, 8)}\\) is authorized, but the terminal reported a void`,
    "m",
  );
  expect((await printed("alert", "list")).out).toMatch(row);
  const lines = async () => logLinesIn(await log());
  const line = {
    event: "alertRaised",
    level: "error",
    alert,
    about,
    partner: added.partnerID,
    session: sessionID,
    sequence: 4,
  };
  await expect.poll(lines).toContainEqual(expect.objectContaining(line));

  expect(await shown("alert", "show", sessionID)).toMatchObject([
    {
      ...named,
      about,
      detail: 'The terminal reported a void while the charge was authorized: "by the customer".',
      means: alertKinds.contradictingReport.means,
      toDo: expect.stringContaining(`\`npm run admin -- payment why ${sessionID}\``),
      changes: [{ sequence: 4, event: "voided", recordedOnly: true }],
    },
    { about: refundID, changes: [{ event: "refunded" }] },
  ]);
  const why = ["--by", "ada", "--why", "the acquirer has it authorized"];
  const close = (...words: string[]) => shown("alert", "close", sessionID, alert, ...words, ...why);
  await expect(close("--about", randomUUID())).rejects.toThrow(/no such alert/);
  await expect(close()).rejects.toThrow(/There are several/);
  expect(await close("--about", about)).toMatchObject({ status: "closed", closings: [{ by: "ada" }] });
  await expect(close("--about", about)).rejects.toThrow(/already closed/);
  expect(await shown("alert", "list")).toMatchObject([{ about: refundID }]);
  expect(await close("--about", refundID.toUpperCase())).toMatchObject({ about: refundID, status: "closed" });
  expect(await shown("alert", "list")).toEqual([]);
  expect(await shown("alert", "list", "--all")).toHaveLength(2);
  const reopen = () => shown("alert", "reopen", sessionID, alert, "--about", refundID, ...why);
  expect(await reopen()).toMatchObject({ status: "open", count: 1, closings: [{ by: "ada" }], reopenings: [{}] });
  await expect(reopen()).rejects.toThrow(/already open/);
  expect(await shown("alert", "list")).toMatchObject([{ about: refundID }]);
  expect(await close("--about", refundID)).toMatchObject({ status: "closed" });

  await partner.silent.sendReport(message, "refunded", made);
  const again = { ...named, about: refundID, count: 2, closings: [{}, { why: "the acquirer has it authorized" }] };
  await expect.poll(() => shown<Shown[]>("alert", "list")).toMatchObject([again]);
  await expect.poll(async () => JSON.stringify(await shown("repair", "--dry-run"))).not.toContain("alert~");
});

it("the operator sees what is wrong with a command, and what to do about each kind of alert", async () => {
  const { printed, shown } = operatorOf(troubled.stack.file);
  const who = ["--by", "ada", "--why", "the acquirer's list"];
  const complaints = [
    [["alert", "show", randomUUID()], "There is no alert with this name."],
    [["alert", "show", "nonsense"], "Name a session or terminal by its identifier, or use the word platform."],
    [["alert", "close", randomUUID(), ...who], "Missing required argument 'kind'."],
    [
      ["alert", "close", randomUUID(), "nonsense", ...who],
      `An alert is one of: ${Object.keys(alertKinds).join(", ")}.`,
    ],
    [
      ["alert", "close", randomUUID(), "unwantedApproval", "--by", "ada"],
      "Required option '--why <text>' not specified.",
    ],
    [["alert", "close", randomUUID(), "unwantedApproval", "--by", "ada", "--why", "w".repeat(501)], "500 characters"],
  ] as const;
  for (const [words, complaint] of complaints) await expect(shown(...words)).rejects.toThrow(complaint);
  const { out } = await printed("alert", "close", "--help");
  for (const [kind, { means, toDo }] of Object.entries(alertKinds)) expect(out).toContain(`${kind}: ${means} ${toDo}`);
});
