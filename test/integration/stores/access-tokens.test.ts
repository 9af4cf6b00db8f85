import { expect, it } from "vitest";
import type { AccessToken } from "../../../shared/domain/access-token.ts";
import { MAX_LOGO_BYTES, mailTextLimits } from "../../../shared/domain/mail-brand.ts";
import { MAX_LOCALES } from "../../../shared/domain/template-look.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { accessTokenTemplatesTable } from "../../../shared/stores/access-token-templates.ts";
import { accessTokensTable } from "../../../shared/stores/access-tokens.ts";
import { aTemplate, anIssuance } from "../../support/consumer.ts";
import { onBothStores } from "../tables/stores.ts";

const now = "2026-11-21T10:00:00.000Z";
const token: AccessToken = {
  tokenId: "55555555-0000-4000-8000-000000000001",
  kind: "voucher",
  value: { kind: "percent", percent: 12.5 },
  productId: "product",
  landingPageId: "page",
  templateId: "template",
  codeKeyId: "k1",
  codeHash: "00ff",
  status: "active",
  validUntil: "2026-12-21T10:00:00.000Z",
  createdAt: now,
  updatedAt: now,
};
const use = { partnerId: "p", terminalId: "t", sessionId: "s", discountId: "d" };

onBothStores("the look of a template", (newTable) => {
  it("is stored with the largest logo and every text at its limit, separately from the template", async () => {
    const templates = accessTokenTemplatesTable(await newTable());
    // Characters of one byte: Azurite garbles others if they span two parts of a long body.
    const texts = Object.fromEntries(Object.entries(mailTextLimits).map(([name, most]) => [name, '"'.repeat(most)]));
    const locales = Array.from({ length: MAX_LOCALES }, (_, i) => `de-${String.fromCodePoint(65 + i)}A`);
    const logo = { png: "A".repeat(Math.ceil(MAX_LOGO_BYTES / 3) * 4), width: 400, height: 100 };
    const look = {
      templateId: "template",
      brand: { name: "Kaffebaren", colour: "#1c4a3d", logo },
      texts: Object.fromEntries(locales.map((locale) => [locale, texts])),
      updatedAt: now,
    };
    await templates.saveLook(look, undefined);
    expect((await templates.findLook("template"))?.look).toEqual(look);
    expect(await templates.list()).toEqual([]);
    await expect(templates.saveLook(look, undefined)).rejects.toThrow(Conflict);
  });
});

onBothStores("access tokens", (newTable) => {
  it("are found by identifier and by the hash of their code", async () => {
    const tokens = accessTokensTable(await newTable());
    expect(await tokens.find(token.tokenId)).toBeUndefined();
    expect(await tokens.findByCode("00ff")).toBeUndefined();
    await tokens.issue(token);
    expect((await tokens.find(token.tokenId))?.token).toEqual(token);
    expect((await tokens.findByCode("00ff"))?.token).toEqual(token);
  });

  it("are issued once", async () => {
    const tokens = accessTokensTable(await newTable());
    await tokens.issue(token);
    await expect(tokens.issue({ ...token, productId: "another" })).rejects.toThrow(Conflict);
    expect((await tokens.find(token.tokenId))?.token.productId).toBe("product");
  });

  it("are saved by one of several writers at the same moment", async () => {
    const tokens = accessTokensTable(await newTable());
    await tokens.issue(token);
    const etag = (await tokens.find(token.tokenId))?.etag ?? "";
    const tries = Array.from({ length: 10 }, (_, i) =>
      tokens.save({ ...token, status: "reserved", use: { ...use, sessionId: `s${i}` } }, etag).then(
        () => "got it",
        (error: unknown) => (error instanceof Conflict ? "conflict" : "trouble"),
      ),
    );
    const told = await Promise.all(tries);
    expect(told.filter((t) => t === "got it")).toHaveLength(1);
    expect(told.filter((t) => t === "conflict")).toHaveLength(9);
    const stored = (await tokens.find(token.tokenId))?.token;
    expect(stored).toMatchObject({ status: "reserved", use: { sessionId: `s${told.indexOf("got it")}` } });
  });

  it("list the tokens issued to a mailbox, and replace the list only if it was not changed since it was read", async () => {
    const tokens = accessTokensTable(await newTable());
    expect(await tokens.issuedTo("abcd")).toBeUndefined();
    await tokens.noteIssued("abcd", [{ tokenId: "t1", at: now }], undefined);
    await expect(tokens.noteIssued("abcd", [], undefined)).rejects.toThrow(Conflict);
    const read = await tokens.issuedTo("abcd");
    await tokens.noteIssued("abcd", [...(read?.issued ?? []), { tokenId: "t2", at: now }], read);
    await expect(tokens.noteIssued("abcd", [], read)).rejects.toThrow(Conflict);
    expect((await tokens.issuedTo("abcd"))?.issued.map((i) => i.tokenId)).toEqual(["t1", "t2"]);
  });
});

onBothStores("access token templates", (newTable) => {
  it("are stored as they were created, listed, and never changed", async () => {
    const templates = accessTokenTemplatesTable(await newTable());
    const [one, other] = [aTemplate(), aTemplate({ templateId: "another", kind: "key", value: undefined })];
    await templates.add(one, anIssuance());
    await templates.add(other, anIssuance({ templateId: "another" }));
    await expect(templates.add(aTemplate({ name: "changed" }), anIssuance())).rejects.toThrow(Conflict);
    expect(await templates.find(one.templateId)).toEqual(one);
    expect(await templates.find("nobody's")).toBeUndefined();
    expect(await templates.list()).toHaveLength(2);
  });
});
