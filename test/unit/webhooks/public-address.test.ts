import { IPAddressRanges } from "@microsoft/antissrf";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { checkWebhookUrl, isPublicAddress } from "../../../shared/adapters/webhooks/public-address.ts";

const notPublic = `
  127.0.0.1 0.0.0.0 0.1.2.3 10.1.2.3 169.254.169.254 168.63.129.16 100.64.0.1 192.0.0.192 192.0.2.1 198.18.0.1 192.88.99.1
  240.0.0.1 255.255.255.255 224.0.0.1 ::1 :: ::127.0.0.1 ::7f00:1 ::a9fe:a9fe ::ffff:127.0.0.1 ::ffff:7f00:1
  ::ffff:168.63.129.16 ::ffff:a83f:8110 ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::7f00:1
  2002:7f00:1::1 2001::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 100::1 100:0:0:1::1 2001:db8::1 3fff::1 3ffe::1 5f00::1
  4000::1 fe80::1%eth0 127.1 0x7f.1`;
const isPublic = "8.8.8.8 1.1.1.1 20.50.1.1 2606:4700::1111 2a01:111::1 ::ffff:8.8.8.8 ::ffff:a8d3:1";
const words = (text: string) => text.trim().split(/\s+/);

describe("isPublicAddress", () => {
  it.each(words(notPublic))("refuses %s", (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(words(isPublic))("accepts %s", (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(["", "example.com", "8.8", "2606:4700::1111%eth0", "8.8.8.8/32", " 8.8.8.8", "134744072"])(
    "refuses %j, which is not an address in its usual form",
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it.each(IPAddressRanges.recommendedLatest)(
    "refuses both ends of %s, a range that Microsoft's list refuses",
    (range) => {
      const family = ipaddr.parseCIDR(range)[0].kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
      expect(isPublicAddress(family.networkAddressFromCIDR(range).toString())).toBe(false);
      expect(isPublicAddress(family.broadcastAddressFromCIDR(range).toString())).toBe(false);
    },
  );
});

describe("checkWebhookUrl", () => {
  const check = (url: string) => checkWebhookUrl(url, { allowLocal: false });

  it.each([
    "https://partner.example.com/hooks/payments?key=1",
    "https://partner.example.com:443/",
    "https://8.8.8.8/hook",
    "https://[2606:4700::1111]/hook",
    "https://internal.example.com/",
  ])("accepts %s", (url) => {
    expect(check(url)).toEqual({ ok: true });
  });

  it.each([
    ["", "must be an absolute URL"],
    ["/hooks", "must be an absolute URL"],
    ["http://partner.example.com/", "must use https"],
    ["ftp://partner.example.com/", "must use https"],
    ["https://partner.example.com:8443/", "must use port 443"],
    ["https://partner.example.com:80/", "must use port 443"],
    ["https://user:word@partner.example.com/", "must not contain credentials"],
    ["https://token@partner.example.com/", "must not contain credentials"],
    [`https://partner.example.com/${"x".repeat(2048)}`, "must be at most 2048 characters"],
  ])("refuses %s", (url, reason) => {
    expect(check(url)).toEqual({ ok: false, reason });
  });

  it.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://2130706433/",
    "https://１２７.0.0.1/",
    "https://127.0.0.1./",
    "https://10.0.0.1/",
    "https://169.254.169.254/metadata",
    "https://168.63.129.16/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::127.0.0.1]/",
    "https://[fd00:ec2::254]/",
  ])("refuses %s, an address that is not public", (url) => {
    expect(check(url)).toEqual({ ok: false, reason: "must not point to a private or reserved address" });
  });

  it.each([
    "https://localhost/",
    "https://LOCALHOST./",
    "https://hooks.localhost/",
    "https://host.docker.internal/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://vault.internal./",
    "https://router.home.arpa/",
    "https://intranet/",
    "https://localhost../",
    "https://metadata.google.internal../",
    "https://nas.lan/",
    "https://hooks.corp/",
    "https://nas.home/",
    "https://hooks.onion/",
    "https://hooks.test/",
  ])("refuses %s, a name of a private network", (url) => {
    expect(check(url)).toEqual({ ok: false, reason: "must name a host on the public internet" });
  });

  describe("on a local cloud", () => {
    const checkLocal = (url: string) => checkWebhookUrl(url, { allowLocal: true }).ok;

    it.each([
      "http://127.0.0.1:7071/hook",
      "http://127.9.9.9/hook",
      "http://localhost:3000/",
      "http://shop.localhost:3000/",
      "https://localhost:8443/",
      "http://[::1]:9000/",
      "http://host.docker.internal:4242/hook",
      "http://host.docker.internal/hook",
    ])("accepts %s", (url) => {
      expect(checkLocal(url)).toBe(true);
    });

    it.each([
      "http://partner.example.com/",
      "https://partner.example.com:8443/",
      "http://10.0.0.1/",
      "https://169.254.169.254/",
      "http://0.0.0.0:80/",
      "ftp://localhost/",
      "http://user:word@localhost/",
      "http://docker.internal/",
      "http://gateway.docker.internal:4242/",
      "http://host.docker.internal.example.com:4242/",
      "http://notlocalhost:3000/",
    ])("still refuses %s", (url) => {
      expect(checkLocal(url)).toBe(false);
    });
  });
});
