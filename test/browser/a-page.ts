import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

// The live page in a browser, for tests.

export const desk = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

export interface OpenPage {
  readonly page: Page;
  /** The errors that the page reported, and its requests to other servers. */
  readonly complaints: string[];
}

/** Opens the live page, with its clock at the given time if there is one. The page's context ends with the browser. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  now?: Date,
): Promise<OpenPage> {
  const open = await openContext(browser, url, options, now);
  await open.page.getByRole("navigation", { name: "Views" }).waitFor();
  return open;
}

/** Opens any page of the local cloud in the same way. */
export async function openContext(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  now?: Date,
): Promise<OpenPage> {
  const { origin } = new URL(url);
  const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce", ...options });
  await context.addInitScript({ content: axe.source }); // the page's own policy allows no other script than its own
  const page = await context.newPage();
  if (now) await page.clock.setFixedTime(now);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const isOfAxe = message.text().startsWith("Failed to execute 'postMessage'"); // to a mail's sandboxed frame; our pages do not post
    if (["error", "warning"].includes(message.type()) && !isOfAxe) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const sent = request.url();
    if (!sent.startsWith(`${origin}/`) && !sent.startsWith("data:")) complaints.push(`sent ${sent}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, complaints };
}

/** The names of the views in the page's navigation. */
export async function viewsOf(page: Page): Promise<readonly string[]> {
  const links = await page.getByRole("navigation", { name: "Views" }).getByRole("link").all();
  return Promise.all(links.map(async (link) => /[A-Za-z]+/.exec((await link.textContent()) ?? "")?.[0] ?? ""));
}

/** Opens a view, and the chosen item in it, and waits until it is shown. */
export async function goTo(page: Page, view: string, chosen?: string): Promise<void> {
  const path = [view.toLowerCase(), ...(chosen?.split("/").map(encodeURIComponent) ?? [])].join("/");
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`);
  await page.getByRole("heading", { level: 1, name: view }).waitFor();
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

type Rules = { readonly only: readonly string[] } | { readonly without: readonly string[] };

/** The violations that Axe finds on the page, one line for each element. */
export async function foundByAxe(page: Page, rules: Rules = { without: [] }): Promise<readonly string[]> {
  const chosen =
    "only" in rules
      ? { runOnly: { type: "rule", values: rules.only } }
      : { rules: Object.fromEntries(rules.without.map((rule) => [rule, { enabled: false }])) };
  const options = JSON.stringify({ resultTypes: ["violations"], ...chosen });
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as { readonly violations: readonly Finding[] };
  return found.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html} ${failureSummary.replaceAll(/\s+/g, " ")}`),
  );
}
