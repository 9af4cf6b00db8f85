import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { newFaults } from "../../faults.ts";
import { faultsFromParent, handFaults } from "../../part.ts";
import { faultTarget, faultInput, type FaultTarget } from "../../rule.ts";

const busy = { kind: "busy", seconds: 10 } as const;

function atNoon() {
  let now = 1_000_000;
  return { faults: newFaults(() => now), later: (seconds: number) => void (now += seconds * 1_000) };
}

describe("faults on demand", () => {
  it("affect no request before one is set", () => {
    const { faults } = atNoon();
    expect(faults.of({ table: "Payments", partition: "p" })).toBeUndefined();
    expect(faults.list()).toEqual([]);
  });

  it.each<[FaultTarget, FaultTarget[], FaultTarget[]]>([
    [
      { tables: "all" },
      [{ tables: "all" }, { table: "Orders" }, { table: "Orders", partition: "p" }],
      [{ queues: "all" }, { queue: "Orders" }],
    ],
    [
      { table: "Payments" },
      [{ table: "payments" }, { table: "Payments", partition: "p" }],
      [{ tables: "all" }, { table: "Orders" }, { queue: "Payments" }],
    ],
    [
      { table: "Payments", partition: "p" },
      [{ table: "PAYMENTS", partition: "p" }],
      [{ table: "Payments" }, { table: "Payments", partition: "P" }, { table: "Orders", partition: "p" }],
    ],
    [{ queues: "all" }, [{ queues: "all" }, { queue: "mails" }], [{ tables: "all" }, { table: "mails" }]],
    [{ queue: "mails" }, [{ queue: "Mails" }], [{ queues: "all" }, { queue: "deadlines" }]],
  ])("affect exactly the requests for %j", (target, met, spared) => {
    const { faults } = atNoon();
    const fault = faults.set(target, busy);
    expect(met.map((call) => faults.of(call))).toEqual(met.map(() => fault));
    expect(spared.map((call) => faults.of(call))).toEqual(spared.map(() => undefined));
  });

  it("use the narrowest target, and the wider one again once that has ended", () => {
    const { faults, later } = atNoon();
    faults.set({ tables: "all" }, { kind: "away", seconds: 60 });
    faults.set({ table: "Payments" }, { kind: "slow", milliseconds: 50, seconds: 30 });
    faults.set({ table: "Payments", partition: "p" }, busy);
    const kind = () => faults.of({ table: "Payments", partition: "p" })?.kind;
    expect(kind()).toBe("busy");
    later(10);
    expect(kind()).toBe("slow");
    later(20);
    expect(kind()).toBe("away");
    later(30);
    expect(kind()).toBeUndefined();
    expect(faults.list()).toEqual([]);
  });

  it("keep one fault for each target: a new one replaces the old", () => {
    const { faults } = atNoon();
    faults.set({ queue: "mails" }, busy);
    faults.set({ queue: "MAILS" }, { kind: "full", seconds: 5 });
    expect(faults.list()).toEqual([{ target: { queue: "MAILS" }, kind: "full", until: 1_005_000 }]);
  });

  it("can be removed singly, or all at once", () => {
    const { faults } = atNoon();
    faults.set({ queues: "all" }, busy);
    faults.set({ queue: "mails" }, busy);
    faults.set({ tables: "all" }, busy);
    faults.clear({ queue: "mails" });
    expect(faults.list().map(({ target }) => target)).toEqual([{ queues: "all" }, { tables: "all" }]);
    faults.clear();
    expect(faults.list()).toEqual([]);
  });
});

describe("a requested fault", () => {
  it.each([
    { kind: "busy" },
    { kind: "busy", seconds: 0 },
    { kind: "busy", seconds: 3_601 },
    { kind: "busy", seconds: "10" },
    { kind: "slow", seconds: 10 },
    { kind: "slow", seconds: 10, milliseconds: 60_001 },
    { kind: "busy", seconds: 10, milliseconds: 10 },
    { kind: "angry", seconds: 10 },
  ])("is refused as %j", (input) => {
    expect(faultInput.safeParse(input).success).toBe(false);
  });

  it.each([{}, { tables: "some" }, { table: "" }, { partition: "p" }, { queue: "mails", table: "Payments" }])(
    "names one target, not %j",
    (target) => {
      expect(faultTarget.safeParse(target).success).toBe(false);
    },
  );
});

describe("a part of the stack", () => {
  it("has its fault by the time the request for it succeeds", async () => {
    const { parent, part } = channel();
    const seen: string[] = [];
    const faults = faultsFromParent(part, () =>
      seen.push(
        faults
          .list()
          .map(({ kind }) => kind)
          .join(),
      ),
    );
    const until = Date.now() + 60_000;
    await handFaults(parent, [{ target: { queue: "mails" }, kind: "silent", until }]);
    expect(faults.of({ queue: "mails" })?.kind).toBe("silent");
    await handFaults(parent, []);
    expect(faults.of({ queue: "mails" })).toBeUndefined();
    expect(seen).toEqual(["silent", ""]);
  });

  it("is notified when a fault's time ends", async () => {
    const { parent, part } = channel();
    const kinds: (string | undefined)[] = [];
    const faults = faultsFromParent(part, () => kinds.push(faults.of({ queue: "mails" })?.kind));
    await handFaults(parent, [{ target: { queue: "mails" }, kind: "busy", until: Date.now() + 20 }]);
    await expect.poll(() => kinds).toEqual(["busy", undefined]);
  });

  it("does not delay others when it ends", async () => {
    const { parent } = channel();
    const handing = handFaults(parent, []);
    parent.emit("disconnect");
    await handing;
    expect(parent.listenerCount("message")).toBe(0);
  });
});

/** Two ends of a channel. Each message arrives at the other end a moment later. */
function channel() {
  const end = () => Object.assign(new EventEmitter(), { connected: true, send: (_: object): void => {} });
  const [parent, part] = [end(), end()];
  parent.send = (message) => void setImmediate(() => part.emit("message", message));
  part.send = (message) => void setImmediate(() => parent.emit("message", message));
  return { parent, part };
}
