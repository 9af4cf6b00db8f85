import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { serveLive } from "../../live/server.ts";
import { newScript, runScript } from "../../../../infra/tools/script.ts";
import { startBrowser } from "../../../../test/support/browser.ts";
import { startReference } from "../../reference/reference.ts";
import { takeMails } from "../../../../test/browser/mail-pictures.ts";
import { goTo, openContext, openPage, phone, viewsOf } from "../../../../test/browser/a-page.ts";
import { sampleOffer } from "./sample-offer.ts";
import { sampleSource } from "./sample-source.ts";
import { sampleStack } from "./sample-stack.ts";

// `npm run pictures` takes pictures of the live page in a browser, from the sample day, of the reference and of mails.

const source = sampleSource();
const { payments, webhooks, mails, calls } = source.snapshot();
/** When the pictures are taken. Countdowns have time left at that moment. */
const NOW = new Date((payments[0]?.createdAt ?? 0) + 5_000);
/** The chosen item of each view. */
const chosen: Readonly<Record<string, string | undefined>> = {
  Payments: payments[0]?.id,
  Webhooks: webhooks[2]?.id,
  Mails: mails[0]?.id,
  Requests: calls[3]?.id,
};

/** A low window, because pictures in documents are to be small. */
const low = { width: 1280, height: 760 };
const forms = {
  "": { viewport: low, colorScheme: "light" },
  "-dark": { viewport: low, colorScheme: "dark" },
  "-phone": { viewport: phone, colorScheme: "light", isMobile: true },
  "-phone-dark": { viewport: phone, colorScheme: "dark", isMobile: true },
} as const satisfies Record<string, BrowserContextOptions>;
type Form = keyof typeof forms;

const docs: Readonly<Record<Form, readonly string[]>> = {
  "": ["Counter", "Payments", "Webhooks", "Mails", "Requests", "Alerts", "Faults"],
  "-dark": ["Counter", "Payments"],
  "-phone": ["Counter", "Payments"],
  "-phone-dark": [],
};
/** The pictured parts of the reference, by the name of the picture. */
const places = {
  "reference-guide": "guide",
  reference: "operations/pos-payment-request",
  "reference-webhook": "operations/webhook-payment",
} as const;
const MAX_BYTES = 250_000;

async function makePictures(folder: string | undefined): Promise<void> {
  const server = await serveLive({ port: 0, source });
  const reference = await startReference({ port: 0, stack: sampleStack });
  const browser = await startBrowser();
  try {
    await takeLandingPage({ browser, folder: folder ?? docsFolder });
    for (const form of Object.keys(forms) as Form[]) {
      const how = folder === undefined ? { folder: docsFolder } : { folder, fullPage: true };
      await takeAll(form, folder === undefined ? docs[form] : undefined, { ...how, browser, url: server.url });
      const names = folder === undefined ? (form === "" ? (["reference"] as const) : []) : placeNames;
      await takeReference(form, names, { ...how, browser, url: reference.url });
    }
    await takeMails(browser, async (name, png) => keep(name, png, { folder: folder ?? docsFolder }));
  } finally {
    await browser.close();
    await server.stop();
    await reference.stop();
  }
}

const docsFolder = fileURLToPath(new URL("../../../../docs/pictures/", import.meta.url));

const placeNames = Object.keys(places) as (keyof typeof places)[];

interface Taking {
  readonly folder: string;
  readonly browser: Browser;
  readonly url: string;
  /** Takes the whole page, whatever its length. */
  readonly fullPage?: boolean;
}

async function takeAll(form: Form, wanted: readonly string[] | undefined, taking: Taking): Promise<void> {
  const { folder, browser, url } = taking;
  await mkdir(folder, { recursive: true });
  const { page } = await openPage(browser, url, forms[form], NOW);
  for (const view of wanted ?? (await viewsOf(page))) {
    await goTo(page, view, chosen[view]);
    if (view === "Mails") await page.frameLocator("iframe").getByRole("heading").first().waitFor();
    await take(page, `${view.toLowerCase()}${form}.png`, taking);
  }
  await page.context().close();
}

/** The sample landing page as a customer sees it first, and after the mail was sent. */
async function takeLandingPage({ browser, folder }: Omit<Taking, "url">): Promise<void> {
  await mkdir(folder, { recursive: true });
  const offer = await sampleOffer();
  const { page } = await openContext(browser, offer.url, { viewport: low });
  await page.getByRole("textbox").fill("anna@example.com");
  await page.getByRole("checkbox").check();
  await take(page, "landing-page.png", { browser, folder });
  await page.context().close();
  const small = await openContext(browser, offer.url, { viewport: phone, colorScheme: "dark", isMobile: true });
  await small.page.getByRole("textbox").fill("anna@example.com");
  await small.page.getByRole("checkbox").check();
  await small.page.getByRole("button").first().click();
  await small.page.getByRole("heading", { name: "Check your mail" }).waitFor();
  await take(small.page, "landing-page-sent.png", { browser, folder });
  await small.page.context().close();
  await offer.stop();
}

async function takeReference(form: Form, names: readonly (keyof typeof places)[], taking: Taking): Promise<void> {
  for (const name of names) {
    const { page } = await openContext(taking.browser, `${taking.url}#/${places[name]}`, forms[form]);
    await page.getByRole("heading", { level: 1 }).waitFor();
    if (name === "reference")
      await page
        .locator("main pre")
        .filter({ hasText: /^curl / })
        .first()
        .waitFor();
    if (name === "reference-webhook") await page.getByText(/webhook-signature: v1,\S/).waitFor();
    await take(page, `${name}${form}.png`, taking);
    await page.context().close();
  }
}

async function take(page: Page, name: string, { folder, fullPage = false }: Omit<Taking, "url">): Promise<void> {
  await keep(name, await page.screenshot({ fullPage, animations: "disabled" }), { folder, fullPage });
}

async function keep(name: string, picture: Buffer, { folder, fullPage = false }: Pick<Taking, "folder" | "fullPage">) {
  if (!fullPage && picture.byteLength > MAX_BYTES) throw new Error(`${name} has ${picture.byteLength} bytes`);
  await writeFile(join(folder, name), picture);
  console.log(`${name}: ${Math.round(picture.byteLength / 1024)} KB`);
}

export const script = newScript("npm run pictures --", "Makes the pictures of docs/pictures from a sample day.", [
  "npm run pictures",
  "npm run pictures -- .local/pictures",
])
  .argument("[folder]", "makes each view there instead, at both widths and in both themes, however long")
  .action(makePictures);

if (import.meta.main) await runScript(script);
