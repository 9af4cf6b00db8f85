import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../infra/build.ts";
import { startStack } from "../../infra/local/stack.ts";
import { startTcpProxy, type TcpProxy } from "../support/fault-proxy.ts";
import { partnerOn } from "../support/partner.ts";
import { defineBench } from "./bench.ts";

/** Requests around an outage of the Service Bus of one second. */
export const busOutage = defineBench({
  means: "the effect of a one-second outage of the Service Bus on requests",
  options: {},
  async run() {
    await buildApp();
    const directory = await mkdtemp(join(tmpdir(), "bus-outage-"));
    const buses: TcpProxy[] = [];
    const each = (act: (bus: TcpProxy) => void) => buses.forEach(act);
    const stack = await startStack({
      ports: "free",
      directory,
      between: async (real) => {
        const bus = await startTcpProxy({ targetPort: real.serviceBus });
        buses.push(bus);
        return { ...real, serviceBus: bus.port };
      },
    });
    try {
      const partner = partnerOn(stack.file, await stack.addPartner());
      await partner.silent.online();
      const rows: { readonly when: string; readonly status: number; readonly ms: number }[] = [];
      const timed = async (when: string) => {
        const began = performance.now();
        const { status, body } = await partner.pay(partner.request({ merchantReferences: {} }));
        rows.push({ when, status, ms: Math.round(performance.now() - began) });
        await partner.cancel({
          sessionID: body.sessionID,
          pointOfServiceID: partner.partner.terminals.silent.pointOfServiceID,
        });
      };
      const end = () =>
        each((bus) => {
          bus.refuse();
          bus.cut();
        });
      await timed("first request");
      await timed("next request");
      for (let round = 1; round <= 3; round++) {
        end();
        await sleep(1_000);
        each((bus) => bus.accept());
        await timed(`after an outage of one second (${round})`);
        await timed("the request after that");
      }
      end();
      const during = timed("begun during an outage that ends in 1 s");
      await sleep(1_000);
      each((bus) => bus.accept());
      await during;
      return {
        tables: [
          {
            title: "POST pos-payment-request around outages of the Service Bus",
            columns: ["when", "status", "ms"],
            rows: rows.map(({ when, status, ms }) => [when, status, ms]),
          },
        ],
        figures: { requests: rows },
      };
    } finally {
      await stack.stop();
      await Promise.all(buses.map((bus) => bus.close()));
      await rm(directory, { recursive: true, force: true });
    }
  },
});
