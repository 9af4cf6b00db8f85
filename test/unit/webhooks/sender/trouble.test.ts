import { setInterval as every } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WEBHOOK_PERMITS } from "../../../../shared/adapters/webhooks/bulkhead.ts";
import { answering, aSender, aWebhook } from "../a-sender.ts";
import { aPartnerServer, aRawServer } from "../partner-server.ts";

describe("trouble on the way", () => {
  it("is a time-out when the server never responds", async () => {
    const partner = await aPartnerServer(() => undefined);
    expect(await aSender({ timeoutMs: 200 }).send(aWebhook(partner.url))).toMatchObject({
      kind: "failed",
      reason: "time-out",
    });
  });

  it("is a time-out when the response's headers arrive endlessly slowly", async () => {
    const cut = Promise.withResolvers<void>();
    const url = await aRawServer(async (socket) => {
      socket.on("close", () => cut.resolve()).resume();
      socket.write("HTTP/1.1 200 OK\r\n");
      for await (const _ of every(10)) {
        if (socket.destroyed) return;
        socket.write("x-drip: 1\r\n");
      }
    });
    expect(await aSender({ timeoutMs: 300 }).send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "time-out" });
    await cut.promise;
  });

  it("is a connection failure when the server hangs up or no server listens", async () => {
    const url = await aRawServer((socket) => socket.destroy());
    expect(await aSender().send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "connection" });
    expect(await aSender().send(aWebhook("http://127.0.0.1:1/"))).toMatchObject({ reason: "connection" });
  });

  it("is a connection failure when the name is not known", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" }));
    const outcome = await aSender({ resolve }).send(aWebhook("https://nobody.example.com/"));
    expect(outcome).toMatchObject({ kind: "failed", reason: "connection" });
  });

  it("is no outcome when the error is the platform's own: it is thrown", async () => {
    const resolve = () => Promise.reject(new TypeError("resolver.resolve4 is not a function"));
    await expect(aSender({ resolve }).send(aWebhook("https://shop.example.com/"))).rejects.toThrow(TypeError);
  });

  it("is a time-out when the name servers give up", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("queryA ETIMEOUT"), { code: "ETIMEOUT" }));
    const outcome = await aSender({ resolve }).send(aWebhook("https://slow.example.com/"));
    expect(outcome).toMatchObject({ kind: "failed", reason: "time-out" });
  });

  it("is a time-out for each of many that wait for the same server, without waiting one after the other", async () => {
    let queries = 0;
    const all = Promise.withResolvers<void>();
    const resolve = () => {
      if (++queries === WEBHOOK_PERMITS) all.resolve();
      return new Promise<never>(() => {});
    };
    const sender = aSender({ timeoutMs: 200, resolve });
    const sent = Array.from({ length: 20 }, () => sender.send(aWebhook("https://silent.example.com/")));
    await all.promise;
    await new Promise(setImmediate); // any other query would have begun
    expect(queries).toBe(WEBHOOK_PERMITS);
    const outcomes = await Promise.all(sent);
    expect(outcomes.filter((outcome) => outcome.kind === "failed" && outcome.reason === "time-out")).toHaveLength(20);
  });

  it("at one server delays no other server's webhooks", async () => {
    const release = Promise.withResolvers<void>();
    const slow = await aPartnerServer(async (_, response) => {
      await release.promise;
      response.end();
    });
    const quick = await answering(200);
    const sender = aSender();
    const waiting = Array.from({ length: 20 }, () => sender.send(aWebhook(slow.url)));
    expect(await sender.send(aWebhook(quick.url))).toMatchObject({ kind: "delivered" });
    release.resolve();
    const outcomes = await Promise.all(waiting);
    expect(outcomes.filter((outcome) => outcome.kind === "delivered")).toHaveLength(20);
    expect(slow.connections()).toBeLessThanOrEqual(WEBHOOK_PERMITS);
  });
});

describe("addresses that are refused", () => {
  const refused = { kind: "failed", reason: "refused-address" };

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["a private network", ["10.0.0.4"]],
    ["the machine's metadata", ["169.254.169.254"]],
    ["a private network among public ones", ["8.8.8.8", "2606:4700::1111", "10.0.0.4"]],
    ["something that is no address", ["intranet"]],
    ["nothing", []],
  ])("a name that resolves to %s", async (_, addresses) => {
    const outcome = await aSender({ resolve: async () => addresses }).send(aWebhook("https://partner.example.com/"));
    expect(outcome).toMatchObject(refused);
  });

  it("are found by resolving a name again for every connection", async () => {
    const queries: string[] = [];
    const resolve = async (name: string) => {
      queries.push(name);
      return ["10.0.0.4"];
    };
    const sender = aSender({ resolve });
    await sender.send(aWebhook("https://partner.example.com/"));
    await sender.send(aWebhook("https://partner.example.com/"));
    expect(queries).toEqual(["partner.example.com", "partner.example.com"]);
  });

  it("this machine, outside a local cloud", async () => {
    const partner = await answering(200);
    expect(await aSender({ allowLocal: false }).send(aWebhook(partner.url))).toMatchObject(refused);
    expect(partner.connections()).toBe(0);
  });

  it.each(["https://10.0.0.4/", "https://0x7f.1/", "https://partner.example.com:8443/", "nonsense"])(
    "%s",
    async (url) => {
      expect(await aSender({ allowLocal: false }).send(aWebhook(url))).toMatchObject(refused);
    },
  );
});
