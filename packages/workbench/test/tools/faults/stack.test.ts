import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { samplePayment } from "../../../first-payment.ts";
import { startStack, type Stack } from "../../../stack/stack.ts";
import { partnerHeaders } from "../../../stack/stack-file.ts";

let directory: string;
let stack: Stack | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "faulty-stack-"));
  stack = await startStack({ ports: "free", directory });
});
afterEach(() => stack?.faults.clear());
afterAll(async () => {
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

function running(): Stack {
  if (!stack) throw new Error("the stack did not start");
  return stack;
}

/** A partner whose terminal is online and free. */
async function aPartner() {
  const { file, addPartner } = running();
  const partner = await addPartner();
  const headers = partnerHeaders(partner.apikey, file.demo.subscriptionKey);
  const own = { ...file, demo: { ...file.demo, ...partner, headers } };
  const statusUrl = `${file.baseUrl}/pointOfServices/${partner.terminals.autopilot.pointOfServiceID}/pos-status`;
  await expect.poll(async () => (await fetch(statusUrl, { headers })).json()).toMatchObject({ online: true });
  const send = async (more: Readonly<Record<string, string>>) => {
    const request = { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(samplePayment(own)) };
    return (await fetch(`${file.baseUrl}/pos-payment-request`, request)).status;
  };
  return {
    /** The HTTP status of a new payment request. */
    ask: () => send({}),
    /** The HTTP status of a new payment request that sets a fault. */
    askWith: (fault: string) => send({ "x-sandbox-fault": fault }),
  };
}

const change = async (method: "PUT" | "DELETE", path: string, fault?: object) => {
  const body = fault === undefined ? null : JSON.stringify(fault);
  return (await fetch(`${running().file.faults}${path}`, { method, body })).status;
};

it.each([
  ["/tables/Terminals", "busy"],
  ["/tables", "away"],
  ["/queues/terminal-messages", "full"],
  ["/queues", "away"],
])("partners get 503 while %s is %s, and service once the fault is removed", async (path, kind) => {
  const { ask } = await aPartner();
  expect(await change("PUT", path, { kind, seconds: 600 })).toBe(200);
  expect(await ask()).toBe(503);
  expect(running().faults.list()).toMatchObject([{ kind }]);
  expect(await change("DELETE", path)).toBe(204);
  await expect.poll(ask).toBe(202);
});

it.each(["tables", "queues"])(
  "a request whose header takes the %s away is 503, so is another caller's, and both get service once that ends",
  async (service) => {
    const [partner, other] = await Promise.all([aPartner(), aPartner()]);
    expect(await partner.askWith(`${service}=60s`)).toBe(503);
    expect(await other.ask()).toBe(503);
    expect(await partner.askWith(`${service}=61s`)).toBe(400);
    await partner.askWith(`${service}=1s`);
    for (const { ask } of [partner, other]) await expect.poll(ask).toBe(202);
  },
);
