import { createSecureContext, getCACertificates, setDefaultCACertificates, type TlsOptions } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { selfSigned, type Certificate } from "../../../support/self-signed.ts";
import { answering, aSender, aWebhook } from "../a-sender.ts";
import { aPartnerServer } from "../partner-server.ts";

/** Makes every new connection of this process trust the certificate, until the test ends. */
function trust({ cert }: Certificate): void {
  const trusted = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, cert]);
}

const aServer = (tls: TlsOptions) => aPartnerServer((_, response) => response.end(), { tls });
const DAY_MS = 86_400_000;

describe("over TLS a webhook", () => {
  it("is delivered to a server whose certificate is trusted, over one connection", async () => {
    const identity = selfSigned();
    trust(identity);
    const partner = await aServer(identity);
    const sender = aSender();
    for (let i = 0; i < 3; i++)
      expect(await sender.send(aWebhook(partner.url))).toMatchObject({ kind: "delivered", status: 200 });
    expect(partner.connections()).toBe(1);
  });

  it("names the host of its URL and HTTP/1.1, so that the server can choose its certificate and protocol", async () => {
    const identity = selfSigned();
    trust(identity);
    const named: string[] = [];
    const partner = await aServer({
      SNICallback: (name, done) => (named.push(name), done(null, createSecureContext(identity))),
      ALPNCallback: ({ protocols }) => (named.push(...protocols), protocols[0]),
    });
    const outcome = await aSender().send(aWebhook(`https://localhost:${partner.port}/`));
    expect(outcome).toMatchObject({ kind: "delivered" });
    expect(named).toEqual(expect.arrayContaining(["localhost", "http/1.1"]));
    expect(named).toHaveLength(2);
  });

  it("is sent again on a new connection if the server closed the idle one", async () => {
    const identity = selfSigned();
    trust(identity);
    const partner = await aPartnerServer(
      (request, response) => {
        const isFirst = !seen.has(request.socket);
        seen.add(request.socket);
        if (isFirst) response.end();
        else request.socket.destroy();
      },
      { tls: identity },
    );
    const seen = new Set<unknown>();
    const sender = aSender();
    for (let i = 0; i < 3; i++)
      expect(await sender.send(aWebhook(partner.url))).toMatchObject({ kind: "delivered", status: 200 });
    expect(partner.connections()).toBe(3);
  });
});

describe("nothing is sent, and the outcome is tls with its reason, if", () => {
  const failed = (code: string) => ({ kind: "failed", reason: "tls", code });

  it("the server's certificate is not trusted", async () => {
    const partner = await aServer(selfSigned());
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject(failed("DEPTH_ZERO_SELF_SIGNED_CERT"));
    expect(partner.received).toEqual([]);
  });

  it("the certificate is for another name", async () => {
    const identity = selfSigned();
    trust(identity);
    const partner = await aServer(identity);
    const outcome = await aSender().send(aWebhook(`https://shop.localhost:${partner.port}/`));
    expect(outcome).toMatchObject(failed("ERR_TLS_CERT_ALTNAME_INVALID"));
    expect(partner.received).toEqual([]);
  });

  it("the certificate has expired", async () => {
    const identity = selfSigned(Date.now() - 3 * DAY_MS);
    trust(identity);
    const partner = await aServer(identity);
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject(failed("CERT_HAS_EXPIRED"));
    expect(partner.received).toEqual([]);
  });

  it("the server does not speak TLS", async () => {
    const { port, received } = await answering(200);
    const outcome = await aSender().send(aWebhook(`https://127.0.0.1:${port}/`));
    expect(outcome).toMatchObject(failed("ERR_SSL_WRONG_VERSION_NUMBER"));
    expect(received).toEqual([]);
  });

  it.each<[string, TlsOptions, string]>([
    [
      "only an old version",
      { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
      "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    ],
    ["only HTTP/2", { ALPNProtocols: ["h2"] }, "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"],
  ])("the server speaks %s", async (_, options, code) => {
    const identity = selfSigned();
    trust(identity);
    const partner = await aServer({ ...identity, ...options });
    expect(await aSender().send(aWebhook(partner.url))).toMatchObject(failed(code));
    expect(partner.received).toEqual([]);
  });
});
