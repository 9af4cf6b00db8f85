import { expect, it } from "vitest";
import { doubtText } from "../../../infra/operator/common/doubt.ts";
import { namesText, terminalNames } from "../../../infra/operator/admin/terminal-names.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { aPlatform, terminalId } from "../../support/platform.ts";

it("names that cannot be read are left out, and the operator is told once", async () => {
  const { deps } = await aPlatform();
  const find = (id: string) =>
    id === terminalId ? deps.terminals.find(id) : Promise.reject(new Unavailable("no response"));
  const notes: string[] = [];
  const names = await terminalNames(
    { terminals: { ...deps.terminals, find } },
    [terminalId, "away-1", "away-2", undefined],
    (line) => void notes.push(line),
  );
  expect(notes).toEqual(["The names of terminals are not shown: The tables do not respond."]);
  for (const id of ["away-1", undefined]) expect(namesText(names(id))).toBeUndefined();
});

it.each([
  [{ terminalName: "Till 3", merchantName: "Café" }, "Till 3 of Café"],
  [{ terminalName: "Till 3" }, "Till 3"],
  [{ merchantName: "Café" }, "Café"],
  [{}, undefined],
])("the names %j are shown as %s", (names, text) => {
  expect(namesText(names)).toBe(text);
});

it.each([
  ["10:00:20", "less than 1 min"],
  ["13:12:59", "3 h 12 min"],
  ["10:59:59", "59 min"],
  ["11:00:00", "1 h"],
])("the time of a doubt until %s is shown in words", (time, text) => {
  expect(doubtText("2026-11-21T10:00:00.000Z", `2026-11-21T${time}.000Z`)).toBe(
    `${text}, since 2026-11-21T10:00:00.000Z`,
  );
});
