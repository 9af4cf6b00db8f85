import { describe, expect, it } from "vitest";
import { canDo, type ActionName } from "../../../live/page/terminal-actions.ts";
import { majorText } from "../../../live/page/text.ts";
import { amountFor, payableOf } from "../../../live/page/till.ts";
import { alertsAbout, othersAlerted } from "../../../live/page/views/counter/alerts-about.ts";
import { holderOf, lampOf, standingAt } from "../../../live/page/terminal-lamps.ts";
import type { AlertView } from "../../../live/views/alerts.ts";
import type { PaymentView } from "../../../live/views/payments.ts";
import type { DisplayView, TerminalView } from "../../../live/views/terminals.ts";
import { scriptFor, scriptList } from "../../../../terminal/simulated/scripts.ts";
import { sampleSource } from "../../browser/sample-source.ts";

const actions: readonly ActionName[] = [
  "tap",
  "insert",
  "decline",
  "cancel",
  "approveOther",
  "tip",
  "secondCard",
  "answerTwice",
  "pullPlug",
  "powerOn",
  "loseNetwork",
  "findNetwork",
  "askPartner",
  "closeDay",
];

const { payments, alerts } = sampleSource().snapshot();
const [sample] = payments as [PaymentView];

const terminal = (mode: DisplayView["mode"], more: Partial<TerminalView> = {}): TerminalView => ({
  id: "t",
  name: "Counter",
  player: "person",
  power: "on",
  display: { mode, prompt: "" },
  unsent: 0,
  journal: [],
  ...more,
});
const possibleAt = (at: TerminalView, newest?: PaymentView) => actions.filter((action) => canDo(at, action, newest));

describe("the buttons of the Counter", () => {
  const card = ["tap", "insert", "decline", "cancel", "approveOther"];

  it.each([
    ["nothing to pay", terminal("idle"), ["pullPlug", "loseNetwork", "askPartner", "closeDay"]],
    ["a payment", terminal("payment"), [...card, "pullPlug", "loseNetwork", "askPartner", "closeDay"]],
    [
      "a payment without network",
      terminal("payment", { power: "lost" }),
      [...card, "pullPlug", "findNetwork", "closeDay"],
    ],
    ["no power", terminal("payment", { power: "off" }), ["powerOn"]],
    ["a question to the shop", terminal("question"), ["pullPlug", "loseNetwork", "closeDay"]],
    ["a terminal that plays by itself", terminal("payment", { player: "autopilot" }), []],
  ])("are enabled with %s", (_, at, expected) => {
    expect(possibleAt(at)).toEqual(expected);
  });

  it("choose a tip while the display asks for one", () => {
    const tip = { percents: [10], amounts: [], custom: false, maximum: 3_000 };
    const display = { mode: "payment", prompt: "", tip } as const;
    expect(possibleAt(terminal("payment", { display }))).toContain("tip");
    expect(possibleAt(terminal("working", { display: { ...display, mode: "working" } }))).not.toContain("tip");
  });

  const journal = [{ at: 1, direction: "out", type: "authorized", sessionId: "A", status: 200 }] as const;
  const approved = { ...sample, sessionId: "a", terminalId: "t" };

  it("charge a second card, and answer twice, after an approval", () => {
    const at = terminal("approved", { journal });
    const expected = ["secondCard", "answerTwice", "pullPlug", "loseNetwork", "askPartner", "closeDay"];
    expect(possibleAt(at, approved)).toEqual(expected);
  });

  it("charge no second card for an earlier payment", () => {
    const at = terminal("declined", { journal });
    expect(possibleAt(at, { ...approved, sessionId: "b" })).not.toContain("secondCard");
    expect(possibleAt(at)).not.toContain("secondCard");
  });

  it.each(["payment", "working"] as const)("charge no second card while the display shows a payment: %s", (mode) => {
    expect(possibleAt(terminal(mode, { journal }), approved)).not.toContain("secondCard");
  });
});

describe("a terminal's lamp", () => {
  const payment = (status: string): PaymentView => ({ ...sample, status, isInDoubt: status === "reconciling" });
  const of = (at: TerminalView, status?: string, isLive = true) => {
    const holder = status === undefined ? undefined : payment(status);
    return [lampOf(at, { holder, isLive }), standingAt(at, holder)];
  };

  it.each([
    ["is ready", terminal("idle"), undefined, ["good", "ready"]],
    ["shows the result of a payment that has ended", terminal("approved"), undefined, ["good", "ready"]],
    ["is held by a payment in progress", terminal("payment"), "inProgress", ["busy", ""]],
    ["is held by a payment that it has forgotten", terminal("idle"), "reconciling", ["warn", ""]],
    ["shows a payment that the platform has ended", terminal("payment"), undefined, ["busy", "shows a payment"]],
    ["is held and off", terminal("off", { power: "off" }), "reconciling", ["warn", "switched off"]],
    ["is off", terminal("off", { power: "off" }), undefined, ["off", "switched off"]],
    ["has no network", terminal("idle", { power: "lost" }), undefined, ["bad", "no network"]],
    ["is played by nobody", terminal("off", { player: "none" }), undefined, ["off", "not played"]],
  ])("is right if it %s", (_, at, holder, expected) => {
    expect(of(at, holder)).toEqual(expected);
  });

  it("is never lit while the stack does not respond", () => {
    for (const status of [undefined, "inProgress", "reconciling"])
      expect(of(terminal("idle"), status, false)[0]).toBe("off");
  });
});

describe("the payment that holds a terminal", () => {
  it("is the oldest there that has not ended", () => {
    const list = ["captured", "pending", "reconciling", "declined"].map((status) => ({
      ...sample,
      id: status,
      terminalId: "t",
      status,
    }));
    const elsewhere = { ...sample, terminalId: "u", status: "inProgress" };
    expect(holderOf([...list, elsewhere], "t")?.id).toBe("reconciling");
    expect(holderOf(list, "u")).toBeUndefined();
  });
});

describe("the alerts at the counter", () => {
  const at = (sessionId: string, terminalId = "t") => ({
    ...sample,
    id: `p/${sessionId}`,
    partnerId: "p",
    sessionId,
    terminalId,
  });
  const about = (sessionId: string, isOver: boolean) => ({
    ...(alerts as [AlertView])[0],
    partnerId: "p",
    sessionId,
    isOver,
  });
  const list = [about("b", true), about("b", false), about("a", true), about("0", false), about("x", false)];

  it("are those of the shown payment, the settled ones apart", () => {
    expect(alertsAbout(at("b"), list)).toEqual({ toDo: [list[1]], settled: [list[0]] });
    expect(alertsAbout({ ...at("b"), partnerId: "q" }, list)).toEqual({ toDo: [], settled: [] });
  });

  it("name earlier payments of the terminal only until they are settled", () => {
    const [shown, settled, toDo] = [at("b"), at("a"), at("0")];
    expect(othersAlerted(shown, [shown, settled, toDo, at("x", "u")], list)).toEqual([toDo]);
  });
});

describe("the till", () => {
  it.each([
    ["125.50", 12_550],
    ["125,5", 12_550],
    [" 125 ", 12_500],
    ["125.", 12_500],
    ["0.01", 1],
    ["0", undefined],
    ["-5", undefined],
    ["1.005", undefined],
    ["12 500", undefined],
    ["1e3", undefined],
    ["", undefined],
    ["999999999", undefined],
  ])("reads the amount %j", (text, minor) => {
    expect(payableOf(text, "SEK")).toBe(minor);
  });

  it("writes the amount that selects the autopilot's script", () => {
    for (const { digits, name } of scriptList())
      expect(scriptFor(Number(majorText(amountFor(digits, 12_550), "SEK")), "SEK").name).toBe(name);
  });
});
