import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../infra/build.ts";
import { startStack } from "../../infra/local/stack.ts";
import { startTcpProxy, type TcpProxy } from "../support/fault-proxy.ts";
import { partnerOn } from "../support/partner.ts";

// `node test/bench/bus-outage.ts`: what an outage of the Service Bus of one second costs the requests around it.

await buildApp();
const directory = await mkdtemp(join(tmpdir(), "bus-outage-"));
let bus: TcpProxy | undefined;
const stack = await startStack({
  ports: "free",
  directory,
  between: async (real) => {
    bus = await startTcpProxy({ targetPort: real.serviceBus });
    return { ...real, serviceBus: bus.port };
  },
});
try {
  const partner = partnerOn(stack.file, await stack.addPartner());
  await partner.silent.online();
  const timed = async (what: string) => {
    const began = performance.now();
    const answer = await partner.pay(partner.request({ merchantReferences: {} }));
    console.log(`${what.padEnd(44)} ${String(answer.status)} in ${Math.round(performance.now() - began)} ms`);
    await partner.send("POST", "/pos-payment-cancel", {
      sessionID: answer.body.sessionID,
      pointOfServiceID: partner.partner.terminals.silent.pointOfServiceID,
      msgType: "paymentCancel",
    });
  };
  await timed("first request");
  await timed("next request");
  for (let round = 1; round <= 3; round++) {
    bus?.refuse();
    bus?.cut();
    await sleep(1_000);
    bus?.accept();
    await timed(`after an outage of one second (${round})`);
    await timed("the request after that");
  }
  bus?.refuse();
  bus?.cut();
  const during = timed("begun during an outage that ends in 1 s");
  await sleep(1_000);
  bus?.accept();
  await during;
} finally {
  await stack.stop();
  await bus?.close();
  await rm(directory, { recursive: true, force: true });
}
