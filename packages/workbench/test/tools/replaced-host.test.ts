import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { builtApp } from "../../../../infra/tools/built-app.ts";
import { newAppBuilder } from "../../start/app-builder.ts";
import { startStack } from "../../stack/stack.ts";

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "replaced-"))));
afterEach(() => rm(directory, { recursive: true, force: true }));

it("is replaced by a new build after a save without a refused request, and stays if the new one does not start", async () => {
  const saved = join(directory, "app");
  const builder = await newAppBuilder(saved);
  await builder.build();
  await builder.end();
  let app = builtApp;
  const stack = await startStack({ ports: "free", directory, isReplaceable: true, app: () => app });
  try {
    const statuses = new Set<number>();
    const over = new AbortController();
    const calling = (async () => {
      while (!over.signal.aborted) statuses.add((await fetch(`${stack.file.functionsUrl}/health`)).status);
    })();
    const before = stack.pidOf("functions");
    app = saved;
    await stack.replaceFunctions();
    const after = stack.pidOf("functions");
    expect(after).not.toBe(before);
    const { baseUrl, demo } = stack.file;
    const url = `${baseUrl}/pointOfServices/${demo.terminals.silent.pointOfServiceID}/pos-status`;
    expect((await fetch(url, { headers: demo.headers })).status).toBe(200);

    app = directory; // it holds no app
    await expect(stack.replaceFunctions()).rejects.toThrow("ended before it was ready");
    expect(stack.pidOf("functions")).toBe(after);
    over.abort();
    await calling;
    expect([...statuses]).toEqual([200]);
  } finally {
    await stack.stop();
  }
});
