import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { hasPython, runPython, withoutPython } from "../../../../test/support/python.ts";
import type { Result } from "../../kit/play.ts";
import type { Described } from "../../kit/self-description.ts";
import { scenarios } from "../../kit/scenarios/all-scenarios.ts";

const folder = "examples/terminal-python";

/** The head of terminal.py says that it leaves these out. */
const leftOut = [
  "second card",
  "late charge",
  "discount",
  "action request accepted",
  "action request declined",
  "tip after a discount",
];
const names = scenarios.map(({ name }) => name).filter((name) => !leftOut.includes(name));

/** The scenarios are played by this number of kits at once, because a terminal waits for nearly all of its time. */
const KITS = 4;

/** Plays the scenarios with a terminal of their own. */
async function played(only: readonly string[]): Promise<readonly Result[]> {
  const words = ["--json", "--terminal", `python3 ${folder}/terminal.py`, ...only.flatMap((name) => ["--only", name])];
  const kit = spawn(process.execPath, ["packages/terminal/kit/terminal-kit.ts", ...words]);
  const [printed, complaint] = await Promise.all([text(kit.stdout), text(kit.stderr), once(kit, "close")]);
  if (printed === "") throw new Error(complaint);
  const { terminal, results } = JSON.parse(printed) as { terminal: Described; results: readonly Result[] };
  expect(terminal).toMatchObject({ device: { model: "Python 1" }, can: ["tips"], warnings: [] });
  return results;
}

it.skipIf(!hasPython)(`the kit passes the terminal in Python${withoutPython}`, async () => {
  const groups = Array.from({ length: KITS }, (_, kit) => names.filter((_name, i) => i % KITS === kit));
  const results = (await Promise.all(groups.map(played))).flat();

  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(results.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

/**
 * The power is cut before or after the acquirer moves the money of a payment and of a refund, and the refund's message comes again. The kit
 * has no such scenario, because it sees only what a terminal sends. Prints the reports and the acquirer's movements.
 */
const cutAtTheAcquirer = `
import json, sys
from pathlib import Path
example, folder, moment = sys.argv[1:]
sys.path.insert(0, example)
from card import Acquirer, CardReader
from memory import Memory
from terminal import Terminal

book = Path(folder) / "book.jsonl"

class PowerCut(Exception):
    pass

class CutAcquirer(Acquirer):
    def move(self, movement):
        if moment == "after":
            super().move(movement)
        raise PowerCut

def start(acquirer):
    terminal = Terminal(Memory(Path(folder)), None, acquirer(book, 0), CardReader(0))
    terminal.end_what_the_power_cut()
    return terminal

def pay(terminal, session):
    payment = {"messageID": "p" + session, "sessionID": session, "captureMode": "automatic"}
    money = {"totalAmountInclVat": 10000, "currency": "SEK"}
    terminal.take_card(terminal.begin({**payment, **money}, float("inf")))

def refund(terminal):
    ids = {"messageID": "r", "sessionID": "2", "refundID": "r"}
    terminal.obey({**ids, "type": "refund", "amount": 6000, "currency": "SEK"}, 0)

def cut(work, *given):
    terminal = start(CutAcquirer)
    try:
        work(terminal, *given)
    except PowerCut:
        terminal.memory._db.close()

cut(pay, "1")
terminal = start(Acquirer)
pay(terminal, "2")
terminal.memory._db.close()
cut(refund)
terminal = start(Acquirer)
refund(terminal)
reports = terminal.memory._select("reports", {"state": "waiting"})
moved = [json.loads(line)["moved"] for line in book.read_text().splitlines()]
print(json.dumps([[report["body"]["type"] for report in reports], moved]))
`;

it.skipIf(!hasPython).each([
  {
    moment: "before",
    reports: ["accepted", "failed", "accepted", "authorized", "refunded"],
    moved: ["charge", "refund"],
  },
  {
    moment: "after",
    reports: ["accepted", "authorized", "accepted", "authorized", "refunded"],
    moved: ["charge", "charge", "refund"],
  },
])(
  `a power cut $moment the acquirer moves money: no charge is lost, and none is made twice${withoutPython}`,
  async ({ moment, reports, moved }) => {
    const memory = await mkdtemp(join(tmpdir(), "python-terminal-"));
    onTestFinished(() => rm(memory, { recursive: true }));

    expect(runPython(["-c", cutAtTheAcquirer, folder, memory, moment], "")).toEqual([reports, moved]);
  },
);

/** A charge in a file whose movements have no tips, and then one with a tip. Prints the reference and the tip of each. */
const earlierMemory = `
import json, sqlite3, sys
from pathlib import Path
example, folder = sys.argv[1:]
sys.path.insert(0, example)
from memory import SCHEMA, Memory, Movement

earlier = sqlite3.connect(str(Path(folder) / "memory.sqlite"))
earlier.executescript("\\n".join(line for line in SCHEMA.splitlines() if "tip INTEGER" not in line))
columns = "kind, reference, charge, session, amount, currency, day, state, evidence"
values = "'charge', 'a', 'a', 's', 10000, 'SEK', '2026-01-01', 'done', '{}'"
earlier.execute(f"INSERT INTO movements ({columns}) VALUES ({values})")
earlier.commit()
earlier.close()

with Memory(Path(folder)).step() as memory:
    memory.ask(Movement("charge", "b", "b", "s", 11000, "SEK", "2026-01-02", tip=1000))
    print(json.dumps([[movement.reference, movement.tip] for movement in memory.movements(kind="charge")]))
`;

it.skipIf(!hasPython)(`a memory of an earlier version keeps its charges, and takes tips${withoutPython}`, async () => {
  const memory = await mkdtemp(join(tmpdir(), "python-terminal-"));
  onTestFinished(() => rm(memory, { recursive: true }));

  expect(runPython(["-c", earlierMemory, folder, memory], "")).toEqual([
    ["a", null],
    ["b", 1000],
  ]);
});
