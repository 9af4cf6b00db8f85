import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { samplePayment } from "../../../infra/local/first-payment.ts";
import { startStack, type Stack } from "../../../infra/local/stack.ts";

let directory: string;
let stack: Stack | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "faulty-stack-"));
  stack = await startStack({ ports: "free", directory });
});
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

it("answers partners that it is unavailable while its tables are, and goes on when they are back", async () => {
  if (!stack) throw new Error("no stack");
  const { file } = stack;
  const payment = JSON.stringify(samplePayment(file));
  const ask = async () => {
    const url = `${file.partnersUrl}/pos-payment-request`;
    return (await fetch(url, { method: "POST", headers: file.demo.headers, body: payment })).status;
  };
  const set = await fetch(`${file.faults}/tables/Payments`, { method: "PUT", body: '{"kind":"busy","seconds":600}' });
  expect(set.status).toBe(200);
  expect(await ask()).toBe(503);
  expect(stack.faults.list()).toMatchObject([{ kind: "busy", target: { table: "Payments" } }]);
  await stack.faults.clear();
  expect(await ask()).toBe(202);
});
