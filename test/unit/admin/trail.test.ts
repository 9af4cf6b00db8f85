import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import type { Cloud } from "../../../infra/operator/common/cloud.ts";
import { perform } from "../../../infra/operator/admin/program.ts";
import { recordedRun, whoActs, whoDecides, type Trail } from "../../../infra/operator/admin/trail.ts";
import { type OperatorAction, operatorActionsTable } from "../../../shared/stores/operator-actions.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

const cloud: Cloud = { tables: "AccountName=a", serviceBus: "Endpoint=sb://b/", isLocal: false, around: {} };
const keyID = "0f3a91c2d4e5b6a7";
const action = { command: "key rotate", about: { keyID } };

/** A trail in memory, and the stored actions in order. */
function aTrail() {
  const stored: unknown[] = [];
  const trail: Trail = async (_, begun) => {
    stored.push(begun);
    return async (outcome, made) => void stored.push({ outcome, made });
  };
  return { stored, trail };
}

/** The stored form of a command line. The command fails once it connects, because the cloud does not exist. */
async function storedOf(...words: string[]) {
  const { stored, trail } = aTrail();
  await perform(words, { findCloud: async () => cloud, note: () => {}, trail }).catch(() => {});
  return stored;
}

describe("a command that changes something", () => {
  it("is stored before it acts, and again with its outcome and what it created", async () => {
    const { stored, trail } = aTrail();
    const result = await recordedRun({ trail, note: () => {} }, action, async (begin) => {
      await begin(cloud);
      expect(stored).toEqual([action]);
      return { keyID: "new-key", apikey: "pk_new-key_5ecret", partnerID: 7 };
    });
    expect(result).toMatchObject({ apikey: "pk_new-key_5ecret" });
    expect(stored[1]).toEqual({ outcome: "done", made: { "new keyID": "new-key" } });
  });

  it("changes nothing if it cannot be stored", async () => {
    let isChanged = false;
    const away: Trail = () => Promise.reject(new Error("the tables are away"));
    const run = recordedRun({ trail: away, note: () => {} }, action, async (begin) => {
      await begin(cloud);
      isChanged = true;
    });
    await expect(run).rejects.toThrow("the tables are away");
    expect(isChanged).toBe(false);
  });

  it("still shows its result if its end cannot be stored, and reports that", async () => {
    const notes: string[] = [];
    const trail: Trail = async () => () => Promise.reject(new Error("the tables are away"));
    const world = { trail, note: (line: string) => void notes.push(line) };
    const run = recordedRun(world, action, async (begin) => {
      await begin(cloud);
      return "a key that is shown once";
    });
    expect(await run).toBe("a key that is shown once");
    expect(notes).toEqual([expect.stringContaining("could not be recorded")]);
  });

  it("is named with its identifiers, choices and times; texts, addresses and secrets are left out", async () => {
    expect(await storedOf("key", "expire", keyID, "--at", "2027-01-31T22:59:59Z")).toEqual([
      { command: "key expire", about: { keyID, at: "2027-01-31T22:59:59Z" } },
      { outcome: "failed", made: {} },
    ]);
    const [erased] = await storedOf("erase", "--email", "anna@example.com", "--yes");
    expect(erased).toEqual({ command: "erase", about: {} });
    const close = ["alert", "close", "platform", "deadLetter", "--by", "anna@example.com", "--why", "a 5ecret"];
    expect((await storedOf(...close))[0]).toEqual({
      command: "alert close",
      about: { name: "platform", kind: "deadLetter" },
    });
    const partner = "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
    const url = "https://shop.example/hooks?key=5ecret";
    expect((await storedOf("webhook", "set-url", "--partner", partner, "--url", url))[0]).toEqual({
      command: "webhook set-url",
      about: { partner },
    });
  });
});

it.each([["partner", "list"], ["purge", "--dry-run"], ["setup"]])(
  "a command that changes nothing stored leaves no trail: %s %s",
  async (...words) => {
    expect(await storedOf(...words)).toEqual([]);
  },
);

it("an action is one row of its month, with its outcome once it has one", async () => {
  const table = operatorActionsTable(inMemoryRows());
  const began: OperatorAction = { ...action, actionId: "a2", at: "2026-11-21T10:00:00.000Z", by: "ada on console-1" };
  await table.save(began);
  await table.save({ ...began, actionId: "a1", at: "2026-11-21T09:00:00.000Z" });
  await table.save({ ...began, outcome: "done" });
  const found = (await table.ofMonth("2026-11")).map(({ actionId, outcome }) => [actionId, outcome]);
  expect(found).toEqual([
    ["a1", undefined],
    ["a2", "done"],
  ]);
  expect(await table.ofMonth("2026-12")).toEqual([]);
});

describe("the actor of a command", () => {
  const identified = (token: string) => ({
    endpoint: "https://a.table.core.windows.net",
    credential: { getToken: async () => ({ token, expiresOnTimestamp: 0 }) },
  });
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.5ecret`;

  it("is the user and the machine, and the identity for which the cloud issued its token", async () => {
    const local = await whoActs(cloud);
    expect(local).toMatch(new RegExp(` on ${hostname()}$`));
    const claims = { oid: "0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21", upn: "anna@example.com" };
    expect(await whoActs({ tables: identified(token(claims)) })).toBe(
      `${local}, anna@example.com, identity ${claims.oid}`,
    );
    for (const unreadable of ["5ecret", token({}), "a.b.c"])
      expect(await whoActs({ tables: identified(unreadable) })).toBe(local);
  });

  it("decides as that identity, and under its own name only if the cloud has none", async () => {
    const of = { tables: identified(token({ oid: "0a4c7c1e" })) };
    expect(await whoDecides(of, undefined)).toBe("identity 0a4c7c1e");
    await expect(whoDecides(of, "bo")).rejects.toThrow(
      "Leave --by out: this cloud knows your identity, identity 0a4c7c1e.",
    );
    expect(await whoDecides(cloud, "bo")).toBe("bo");
    await expect(whoDecides(cloud, undefined)).rejects.toThrow("Say who decides: --by <who>.");
  });
});
