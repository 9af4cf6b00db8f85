import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** The hands and eyes of a person at the live page. The page may be opened later. */
export function aPerson(page: () => Page) {
  const named = (name: string) => page().getByRole("button", { name, exact: true });
  const press = (name: string) => named(name).click();
  const display = () => page().getByRole("group", { name: "Display of Counter" });
  const verdict = () => page().getByRole("region", { name: "The platform says" });
  const shows = (where: Locator, text: string | RegExp) => where.getByText(text).first().waitFor();
  const saysOfIt = (text: string | RegExp) => shows(verdict(), text);

  async function go(view: string): Promise<void> {
    await page().getByRole("navigation", { name: "Views" }).getByRole("link", { name: view }).click();
    await page().getByRole("heading", { level: 1, name: view }).waitFor();
  }

  /** Requests a payment of this amount at the till. Each test has its own amount, by which it finds its payment. */
  async function request(amount: string): Promise<void> {
    await go("Counter");
    await page().getByRole("textbox", { name: "Amount", exact: true }).fill(amount);
    await press("Request payment");
  }

  /** Requests a payment, and waits until the terminal prompts for a card. */
  async function prompted(amount: string): Promise<void> {
    await request(amount);
    await shows(display(), amount);
    await saysOfIt("in progress");
  }

  async function paid(amount: string): Promise<void> {
    await prompted(amount);
    await press("Tap card");
    await saysOfIt("captured");
  }

  /** Opens the payment of the counter. */
  async function openPayment(amount: string): Promise<Locator> {
    await page().getByRole("link", { name: "See the payment in Payments" }).click();
    const payment = page().getByRole("article", { name: "The chosen payment" });
    await payment.getByRole("heading", { name: `${amount} SEK` }).waitFor();
    return payment;
  }

  const alertOf = (title: string) =>
    page()
      .locator("section")
      .filter({ has: page().getByRole("heading", { name: title }) })
      .first();

  /** Closes an alert, with a name and a reason. */
  async function close(alert: Locator): Promise<void> {
    const title = await alert.getByRole("heading").first().textContent();
    const open = page().getByRole("heading", { name: title ?? "" });
    const count = await open.count();
    await alert.getByText("Close the alert", { exact: true }).click();
    const form = alert.locator("details");
    await form.getByRole("textbox", { name: "Decided by" }).fill("ada");
    await form.getByRole("textbox", { name: "Why" }).fill("seen");
    await form.getByRole("button", { name: "Close it" }).click();
    await expect.poll(() => open.count()).toBe(count - 1);
    await expect.poll(() => page().evaluate("document.activeElement.textContent")).toBe(`Closed: ${title}.`);
  }

  return { named, press, display, verdict, shows, saysOfIt, go, prompted, paid, openPayment, alertOf, close };
}
