import { once } from "node:events";
import { Agent, createServer as createHttpServer, get, type Server as HttpServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFaultProxy, startTcpProxy, type Fate, type HttpProxyOptions } from "../support/fault-proxy.ts";

async function listening(server: Server | HttpServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A server that records each request, and a proxy in front of it. */
async function aProxiedServer(onRequest?: HttpProxyOptions["onRequest"]) {
  const carriedOut: string[] = [];
  const server = createHttpServer((request, response) => {
    void text(request).then((body) => {
      carriedOut.push(`${request.method} ${request.url} ${body}`);
      return response.writeHead(201, { etag: '"1"', "x-echo": String(request.headers["x-sent"]) }).end(body);
    });
  });
  const targetPort = await listening(server);
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const proxy = await startFaultProxy({ targetPort, ...(onRequest && { onRequest }) });
  onTestFinished(() => proxy.close());
  const post = (body: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${proxy.port}/rows?a=1`, {
      method: "POST",
      headers: { "x-sent": "yes" },
      body,
      ...(signal && { signal }),
    });
  return { carriedOut, post, proxy, server };
}

describe("the HTTP proxy", () => {
  it("passes a request and its response on unchanged", async () => {
    const { post, carriedOut } = await aProxiedServer();
    const response = await post("Grüße");
    expect(response.status).toBe(201);
    expect([response.headers.get("etag"), response.headers.get("x-echo")]).toEqual(['"1"', "yes"]);
    expect(await response.text()).toBe("Grüße");
    expect(carriedOut).toEqual(["POST /rows?a=1 Grüße"]);
  });

  it("shows each request before it decides on it", async () => {
    const fates: Record<string, Fate> = { first: "pass", second: "unavailable" };
    const seen: unknown[] = [];
    const { post, carriedOut } = await aProxiedServer((request) => {
      seen.push(request);
      return fates[request.body] ?? "pass";
    });
    expect((await post("first")).status).toBe(201);
    expect((await post("second")).status).toBe(503);
    expect((await post("third")).status).toBe(201);
    expect(seen[1]).toEqual({ method: "POST", path: "/rows?a=1", body: "second" });
    expect(carriedOut).toEqual(["POST /rows?a=1 first", "POST /rows?a=1 third"]);
  });

  it("drops a request: the caller loses its connection and nothing is carried out", async () => {
    const { post, carriedOut } = await aProxiedServer(() => "drop-request");
    await expect(post("lost")).rejects.toThrow("fetch failed");
    expect(carriedOut).toEqual([]);
  });

  it("drops a response: the caller loses its connection after the request was carried out", async () => {
    const { post, carriedOut } = await aProxiedServer(() => "drop-response");
    await expect(post("done")).rejects.toThrow("fetch failed");
    expect(carriedOut).toEqual(["POST /rows?a=1 done"]);
  });

  it("holds a request back until the test releases it, even after its caller gave up", async () => {
    const held = Promise.withResolvers<Fate>();
    const arrived = Promise.withResolvers<void>();
    const { post, carriedOut, server } = await aProxiedServer(({ body }) => {
      if (body !== "late") return "pass";
      arrived.resolve();
      return held.promise;
    });
    const caller = new AbortController();
    const late = post("late", caller.signal);
    await arrived.promise;
    caller.abort();
    await expect(late).rejects.toThrow("aborted");
    await post("quick");
    expect(carriedOut).toEqual(["POST /rows?a=1 quick"]);
    const landed = once(server, "request");
    held.resolve("pass");
    await landed;
    await expect.poll(() => carriedOut).toEqual(["POST /rows?a=1 quick", "POST /rows?a=1 late"]);
  });

  it("looks like a lost connection when the target does not respond", async () => {
    const target = createTcpServer((socket) => socket.destroy());
    const proxy = await startFaultProxy({ targetPort: await listening(target) });
    onTestFinished(async () => {
      await proxy.close();
      target.close();
    });
    await expect(fetch(`http://127.0.0.1:${proxy.port}/`)).rejects.toThrow("fetch failed");
  });
});

it("the HTTP proxy loses its clients' connections, and responds on new ones", async () => {
  const { proxy, carriedOut } = await aProxiedServer();
  const [kept, fresh] = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent()];
  onTestFinished(() => [kept, fresh].forEach((agent) => agent.destroy()));
  const send = (agent: Agent) =>
    new Promise((resolve) =>
      get({ port: proxy.port, agent }, (got) => resolve(got.resume().statusCode)).on("error", resolve),
    );
  expect(await send(kept)).toBe(201);
  proxy.lose();
  void send(kept);
  expect(await send(fresh)).toBe(201);
  expect(carriedOut).toHaveLength(2);
});

/** A server that echoes its input, a proxy in front of it, and clients of the proxy. */
async function aProxiedEcho() {
  const server = createTcpServer((socket) => socket.on("error", () => socket.destroy()).pipe(socket));
  const proxy = await startTcpProxy({ targetPort: await listening(server) });
  const clients: Socket[] = [];
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    for (const client of clients) client.destroy();
    await proxy.close();
    await closed;
  });
  const aClient = () => {
    const client = connect(proxy.port, "127.0.0.1");
    clients.push(client);
    const ended = new Promise<void>((resolve) => client.on("error", () => undefined).on("close", () => resolve()));
    let heard = "";
    client.on("data", (chunk) => (heard += chunk.toString()));
    return { client, ended, heard: () => heard };
  };
  return { proxy, aClient };
}

describe("the TCP proxy", () => {
  it("passes bytes on in both directions, including the end", async () => {
    const { aClient } = await aProxiedEcho();
    const { client, heard, ended } = aClient();
    client.end("hello");
    await ended;
    expect(heard()).toBe("hello");
  });

  it("cuts the open connections, and accepts new ones", async () => {
    const { proxy, aClient } = await aProxiedEcho();
    const [one, other] = [aClient(), aClient()];
    for (const { client, heard } of [one, other]) {
      client.write("x");
      await expect.poll(heard).toBe("x");
    }
    proxy.cut();
    await Promise.all([one.ended, other.ended]);
    const next = aClient();
    next.client.write("again");
    await expect.poll(next.heard).toBe("again");
  });

  it("loses what the open connections carry, without an end, and passes new ones on", async () => {
    const { proxy, aClient } = await aProxiedEcho();
    const old = aClient();
    old.client.write("1");
    await expect.poll(old.heard).toBe("1");
    proxy.lose();
    old.client.write("2");
    const next = aClient();
    next.client.write("3");
    await expect.poll(next.heard).toBe("3");
    expect([old.heard(), old.client.readable]).toEqual(["1", true]);
  });

  it("refuses new connections while open ones stay, until it accepts again", async () => {
    const { proxy, aClient } = await aProxiedEcho();
    const open = aClient();
    open.client.write("1");
    await expect.poll(open.heard).toBe("1");
    proxy.refuse();
    const turnedAway = aClient();
    turnedAway.client.write("anyone?");
    await turnedAway.ended;
    expect(turnedAway.heard()).toBe("");
    open.client.write("2");
    await expect.poll(open.heard).toBe("12");
    proxy.accept();
    const next = aClient();
    next.client.write("3");
    await expect.poll(next.heard).toBe("3");
  });

  it("delays the data and keeps its order, even if the delay changes on the way", async () => {
    const { proxy, aClient } = await aProxiedEcho();
    const { client, heard } = aClient();
    client.write("a");
    await expect.poll(heard).toBe("a");
    const started = performance.now();
    proxy.delay(60);
    client.write("b");
    await expect.poll(() => heard(), { interval: 5 }).toBe("ab");
    // Once in each direction. It is a lower bound, so a slow machine cannot fail it.
    expect(performance.now() - started).toBeGreaterThan(110);
    client.write("c");
    proxy.delay(0);
    client.write("d");
    await expect.poll(heard).toBe("abcd");
  });
});
