import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../infra/local/common/loopback-server.ts";
import { serveLive } from "../../infra/local/live/server.ts";
import { rehearsalPage } from "../rehearsal/page/page.ts";
import { sampleRehearsal } from "../rehearsal/sample.ts";
import { because, browserIsPresent, startBrowser } from "../support/browser.ts";
import { desk, foundByAxe, goTo, openContext, openPage, phone } from "./a-page.ts";
import { sampleSource } from "./sample-source.ts";

describe.skipIf(!browserIsPresent)(`the page of a rehearsal${because}`, () => {
  let directory: string;
  let browser: Browser;
  const servers: LoopbackServer[] = [];
  beforeAll(async () => {
    [directory, browser] = await Promise.all([mkdtemp(join(tmpdir(), "rehearsal-page-")), startBrowser()]);
  });
  afterAll(async () => {
    await Promise.allSettled([browser?.close(), ...servers.map((server) => server.stop())]);
    await rm(directory, { recursive: true, force: true });
  });
  const written = async (name: string, page: string) => {
    const file = join(directory, name);
    await writeFile(file, page);
    return file;
  };
  const serve = async (rehearsal: string) => {
    const server = await serveLive({ port: 0, source: sampleSource(), rehearsal });
    servers.push(server);
    return server.url;
  };

  it.each([
    ["kept", sampleRehearsal],
    ["broken", { ...sampleRehearsal, broken: ["never delivered: evt_1"], isEndedEarly: true }],
    ["unproven", { ...sampleRehearsal, unproven: "No payment was made.", money: undefined }],
  ])("is without a fault that Axe finds, and no wider than a phone, where it is %s", async (name, record) => {
    const file = await written(`${name}.html`, rehearsalPage(record));
    const { page, complaints } = await openContext(browser, pathToFileURL(file).href);
    for (const details of await page.locator("summary").all()) await details.click();
    const found = await foundByAxe(page);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await foundByAxe(page, { only: ["color-contrast"] });
    await page.setViewportSize(phone);
    const narrow = await foundByAxe(page, { without: ["color-contrast"] });
    expect([...found, ...dark, ...narrow]).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
    await page.setViewportSize(desk);
    expect(complaints.filter((line) => !line.startsWith("sent file:"))).toEqual([]);
    await page.context().close();
  });

  it("is led to from the live page where there is one, and shown there without a script", async () => {
    const url = await serve(
      await written("last.html", `${rehearsalPage(sampleRehearsal)}<script>document.title = "ran"</script>`),
    );
    const { page } = await openPage(browser, url);
    await goTo(page, "Faults");
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "The last rehearsal" }).click(),
    ]);
    await opened.getByRole("heading", { level: 1, name: "No payment was lost, doubled or guessed." }).waitFor();
    expect(await opened.title()).toMatch(/^Rehearsal: /);
    await page.context().close();
  });

  it("is said to be made by npm run rehearse where there is none", async () => {
    const url = await serve(join(directory, "none.html"));
    const { page, complaints } = await openPage(browser, url);
    await goTo(page, "Faults");
    await page.getByText("npm run rehearse").waitFor();
    expect(await page.getByRole("link", { name: "The last rehearsal" }).count()).toBe(0);
    expect((await fetch(new URL("rehearsal/page", url))).status).toBe(404);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
