import { describe, expect, it } from "vitest";
import { cachedPartners } from "../../../shared/edge/auth/cached-partners.ts";
import { anApiKey } from "../../support/a-partner.ts";
import { aPlatform, partnerId } from "../../support/platform.ts";

const key = anApiKey({ keyId: "k", partnerId });

describe("cached partners", () => {
  it("return a cached key for a minute, and not longer", async () => {
    const { deps } = await aPlatform();
    const cached = cachedPartners(deps.partners, deps.clock);
    await deps.partners.saveKey(key, undefined);
    expect(await cached.findKey("k")).toMatchObject({ hash: "" });
    await deps.partners.saveKey({ ...key, hash: "another" }, (await deps.partners.readKey("k"))?.etag);
    await deps.clock.sleep(59_999);
    expect(await cached.findKey("k")).toMatchObject({ hash: "" });
    await deps.clock.sleep(1);
    expect(await cached.findKey("k")).toMatchObject({ hash: "another" });
  });

  it("do not cache absence", async () => {
    const { deps } = await aPlatform();
    const cached = cachedPartners(deps.partners, deps.clock);
    expect(await cached.findKey("k")).toBeUndefined();
    await deps.partners.saveKey(key, undefined);
    expect(await cached.findKey("k")).toBeDefined();
  });
});
