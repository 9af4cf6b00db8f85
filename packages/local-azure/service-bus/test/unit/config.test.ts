import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDuration, readQueues } from "../../config.ts";

const properties = { LockDuration: "PT1M", MaxDeliveryCount: 10, DefaultMessageTimeToLive: "PT1H" };

const aConfig = (queues: object[]) => ({ UserConfig: { Namespaces: [{ Name: "sbemulatorns", Queues: queues }] } });

/** Writes a configuration to a file and reads it. */
async function read(content: string | object, overrides?: object): ReturnType<typeof readQueues> {
  const folder = await mkdtemp(join(tmpdir(), "queues-"));
  try {
    const write = async (name: string, given: string | object) => {
      const path = join(folder, name);
      await writeFile(path, typeof given === "string" ? given : JSON.stringify(given));
      return path;
    };
    const queuesPath = await write("queues.json", content);
    return await readQueues(queuesPath, overrides && (await write("overrides.json", overrides)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("a queue's declaration", () => {
  it("may ask for sessions and duplicate detection", async () => {
    const asking = { ...properties, RequiresSession: true, RequiresDuplicateDetection: true };
    const [queue] = await read(
      aConfig([{ Name: "q", Properties: { ...asking, DuplicateDetectionHistoryTimeWindow: "PT20S" } }]),
    );
    expect(queue).toMatchObject({ requiresSession: true, duplicateWindowMs: 20_000 });
  });

  it.each([
    ["a lock beyond five minutes", { LockDuration: "PT6M" }, /LockDuration: "PT6M" is not between PT5S and PT5M/],
    ["a duration that is none", { LockDuration: "1 minute" }, /LockDuration: "1 minute" is no ISO 8601 duration/],
    ["more deliveries than the emulator takes", { MaxDeliveryCount: 50 }, /MaxDeliveryCount/],
    ["no delivery count", { MaxDeliveryCount: undefined }, /MaxDeliveryCount: must be a whole number$/],
    [
      "no time to live",
      { DefaultMessageTimeToLive: undefined },
      /TimeToLive: must be an ISO 8601 duration such as PT1M/,
    ],
    ["an unknown property", { LockDurations: "PT1M" }, /LockDurations/],
    ["forwarding", { ForwardTo: "other" }, /ForwardTo: forwarding is not supported/],
  ])("is refused with %s, and the error names file and field", async (_, wrong, message) => {
    const reading = read(aConfig([{ Name: "q", Properties: { ...properties, ...wrong } }]));
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toThrow(/^queues\.json: UserConfig\.Namespaces\.0\.Queues\.0\.Properties/);
  });

  it("is refused where its name is taken, whatever the case", async () => {
    const twice = aConfig([
      { Name: "q", Properties: properties },
      { Name: "Q", Properties: properties },
    ]);
    await expect(read(twice)).rejects.toThrow('queues.json: the queue "Q" is declared twice');
  });
});

it("refuses topics", async () => {
  const config = { UserConfig: { Namespaces: [{ Name: "n", Queues: [], Topics: [{ Name: "t" }] }] } };
  await expect(read(config)).rejects.toThrow(/queues\.json: .*Topics/);
});

it("names the file that is not JSON", async () => {
  await expect(read("{")).rejects.toThrow(/^queues\.json is not JSON/);
});

it("names the file and the field of a wrong override", async () => {
  const config = aConfig([{ Name: "q", Properties: properties }]);
  await expect(read(config, { MaxDeliveryCount: 0 })).rejects.toThrow(/^overrides\.json: MaxDeliveryCount/);
});

it.each([
  ["PT5S", 5_000],
  ["PT1M30S", 90_000],
  ["PT0.5S", 500],
  ["P14D", 1_209_600_000],
  ["P1DT2H", 93_600_000],
])("reads the duration %s", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

it.each(["", "P", "PT", "P1DT", "1M", "PT1", "P1M", "-PT1M"])("does not read %j as a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
