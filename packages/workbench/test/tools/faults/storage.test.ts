import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startStorage } from "../../../stack/azurite.ts";
import { newFaultBoard } from "../../../../local-azure/faults/board.ts";
import { freePort } from "../../../../local-azure/common/free-ports.ts";

it("Azurite with blobs and queues, as func start needs it, becomes ready, and shows faults of its tables", async () => {
  const directory = await mkdtemp(join(tmpdir(), "storage-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const ports = { blobs: await freePort(), queues: await freePort(), tables: await freePort() };
  const storage = await startStorage(ports, join(directory, "azurite.log"));
  onTestFinished(() => storage.stop());
  const status = async (port: number) => (await fetch(`http://127.0.0.1:${port}/devstoreaccount1/?comp=list`)).status;
  const statuses = () => Promise.all([ports.blobs, ports.queues, ports.tables].map(status));
  expect(await statuses()).toEqual([403, 403, 400]); // the caller shows no key

  const board = newFaultBoard();
  await board.serve("tables", storage.channel);
  await board.set({ tables: "all" }, { kind: "busy", seconds: 600 });
  expect(await statuses()).toEqual([403, 403, 503]);
});
