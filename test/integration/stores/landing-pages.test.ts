import { expect, it } from "vitest";
import { createTokenRequest, tokenIssued, type LandingPage } from "../../../shared/domain/landing-page.ts";
import { after } from "../../../shared/domain/time.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { commandsTable } from "../../../shared/stores/commands.ts";
import { landingPagesTable } from "../../../shared/stores/landing-pages.ts";
import { requestSubject } from "../../../shared/use-cases/vouchers/commit-token-request.ts";
import { landingPageId } from "../../support/consumer.ts";
import { onBothStores } from "../tables/stores.ts";

const now = "2026-11-21T10:00:00.000Z";
const page: LandingPage = {
  landingPageId,
  productId: "p",
  templateId: "t",
  asReceived: { landingPageId: landingPageId.toUpperCase(), productId: "P", templateId: "T" },
  name: "Käffe / kaka",
  status: "active",
  endsAt: after(now, 60),
  createdAt: now,
  updatedAt: now,
};

let requests = 0;
function aRequest(at = now, more: { button?: number; addressKey?: string } = {}) {
  const requestId = `r${++requests}`;
  const asked = { requestId, landingPageId, button: 1, addressKey: "key", tokenId: `t${requests}`, ...more };
  const { request, effects } = createTokenRequest({ ...asked, email: "anna@example.com" }, at);
  return { request, command: { commandId: `c-${requestId}`, effects } };
}

onBothStores("landing pages", (newTable) => {
  it("store a page, its request and the request's command in one commit, and return them unchanged", async () => {
    const rows = await newTable();
    const landingPages = landingPagesTable(rows);
    const commands = commandsTable({ terminals: rows, actionRequests: rows, landingPages: rows, days: rows });
    const { request, command } = aRequest();
    expect(await landingPages.find(landingPageId)).toBeUndefined();
    await landingPages.create({ newPage: page, request, same: undefined, command });

    expect(await landingPages.find(landingPageId)).toMatchObject({ page });
    expect((await landingPages.findRequest(request))?.request).toEqual(request);
    const subject = requestSubject(request);
    expect(await commands.find(subject, command.commandId)).toMatchObject({ state: "ready", subject, sequence: 1 });
    const same = await landingPages.findSame(request);
    expect(same?.key).toEqual({ landingPageId, requestId: request.requestId, createdAt: now });
    expect(await landingPages.findSame({ ...request, button: 2 })).toBeUndefined();
    expect(await landingPages.findSame({ ...request, addressKey: "another" })).toBeUndefined();
  });

  it("list the names of pages once, before they are inserted and after", async () => {
    const landingPages = landingPagesTable(await newTable());
    expect(await landingPages.list()).toEqual([]);
    await landingPages.enlist(landingPageId);
    await landingPages.add(page);
    await landingPages.enlist("another");
    expect((await landingPages.list()).toSorted()).toEqual([landingPageId, "another"].toSorted());
  });

  it("accept one of two first requests, and one of two equal requests", async () => {
    const landingPages = landingPagesTable(await newTable());
    const [one, other] = [aRequest(), aRequest(now, { button: 2 })];
    await landingPages.create({ newPage: page, same: undefined, ...one });
    await expect(landingPages.create({ newPage: page, same: undefined, ...other })).rejects.toThrow(Conflict);
    await expect(landingPages.create({ newPage: undefined, same: undefined, ...aRequest() })).rejects.toThrow(Conflict);
    expect(await landingPages.latest(landingPageId, 10)).toHaveLength(1);

    const same = await landingPages.findSame(one.request);
    await landingPages.create({ newPage: undefined, same, ...aRequest() });
    await expect(landingPages.create({ newPage: undefined, same, ...aRequest() })).rejects.toThrow(Conflict);
  });

  it("refuse a commit whose command was aborted", async () => {
    const rows = await newTable();
    const landingPages = landingPagesTable(rows);
    const { request, command } = aRequest();
    const commands = commandsTable({ terminals: rows, actionRequests: rows, landingPages: rows, days: rows });
    await commands.abortCommand(requestSubject(request), command.commandId, now);
    await expect(landingPages.create({ newPage: page, request, same: undefined, command })).rejects.toThrow(Conflict);
    expect(await landingPages.find(landingPageId)).toBeUndefined();
  });

  it("return the newest requests first, and no more than requested", async () => {
    const landingPages = landingPagesTable(await newTable());
    const made = [5, 1, 3, 4, 2].map((minute) => aRequest(after(now, 60 * minute), { button: minute }));
    for (const [i, one] of made.entries()) {
      await landingPages.create({ newPage: i === 0 ? page : undefined, same: undefined, ...one });
    }
    expect((await landingPages.latest(landingPageId, 3)).map((r) => r.button)).toEqual([5, 4, 3]);
    expect(await landingPages.latest(landingPageId, 100)).toHaveLength(5);
    expect(await landingPages.latest("another", 100)).toEqual([]);
  });

  it("change a request and a page only as they were read", async () => {
    const landingPages = landingPagesTable(await newTable());
    const created = aRequest();
    await landingPages.create({ newPage: page, same: undefined, ...created });
    const read = await landingPages.findRequest(created.request);
    const issued = tokenIssued(created.request, now);
    if (!read || !issued) throw new Error("no request");
    await landingPages.commit(issued.request, read, { commandId: "c2", effects: issued.effects });
    await expect(landingPages.commit(issued.request, read, undefined)).rejects.toThrow(Conflict);

    const stored = await landingPages.find(landingPageId);
    await landingPages.save({ ...page, status: "disabled" }, stored?.etag ?? "");
    await expect(landingPages.save(page, stored?.etag ?? "")).rejects.toThrow(Conflict);
    expect((await landingPages.find(landingPageId))?.page.status).toBe("disabled");
  });
});
