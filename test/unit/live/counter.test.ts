import { describe, expect, it } from "vitest";
import { canDo, type ActionName } from "../../../infra/pages/live/page/terminal-actions.ts";
import { majorText } from "../../../infra/pages/live/page/text.ts";
import { amountFor, payableOf } from "../../../infra/pages/live/page/till.ts";
import type { DisplayView, TerminalView } from "../../../infra/pages/live/views/terminals.ts";
import { scriptFor, scriptList } from "../../../infra/terminal/simulated/scripts.ts";

const actions: readonly ActionName[] = [
  "tap",
  "insert",
  "decline",
  "cancel",
  "approveOther",
  "secondCard",
  "answerTwice",
  "pullPlug",
  "powerOn",
  "loseNetwork",
  "findNetwork",
  "askPartner",
  "closeDay",
];

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
const possibleAt = (at: TerminalView) => actions.filter((action) => canDo(at, action));

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

  it("charge a second card, and answer twice, after an approval", () => {
    const at = terminal("idle", { journal: [{ at: 1, direction: "out", type: "authorized", status: 200 }] });
    expect(possibleAt(at)).toEqual(["secondCard", "answerTwice", "pullPlug", "loseNetwork", "askPartner", "closeDay"]);
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
