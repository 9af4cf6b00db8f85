import { randomUUID } from "node:crypto";
import type { CaughtMail } from "../../packages/workbench/stack/mail-sink/sink.ts";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import type { LandingPageObject, TokenRequestObject } from "../../shared/contracts/objects/landing-page.ts";
import { operatorOf } from "./admin.ts";
import { waitFor, type Patience } from "./wait-for.ts";

/** A web application with landing pages, and its customers' mailboxes, as a black-box test plays them. */
export function webShopOn(stack: StackFile, patience: Patience = {}) {
  const { basic, functionKeys, productID, templateAccessTokenID } = stack.demo.consumer;
  const { shown } = operatorOf(stack);
  const headers = {
    Authorization: `Basic ${basic}`,
    "x-functions-key": functionKeys["landing-page-request"],
    "Content-Type": "application/json",
  };

  /** A request in the specification's own shape, by a new customer. */
  const request = (more: Record<string, unknown> = {}) => ({
    landingPageID: randomUUID(),
    productID,
    templateAccessTokenID,
    button: 1,
    email: `${randomUUID()}@example.com`,
    ...more,
  });

  async function post<Body = TokenRequestObject>(body: unknown, more: Record<string, string> = {}) {
    const response = await fetch(`${stack.baseUrl}/landing-page-request`, {
      method: "POST",
      headers: { ...headers, ...more },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  async function page<Body = LandingPageObject>(landingPageID: string, key = functionKeys["get-landing-page"]) {
    const response = await fetch(`${stack.baseUrl}/landing-page/${landingPageID}`, {
      headers: { "x-functions-key": key },
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  const mailsTo = async (address: string) =>
    (await (await fetch(`${stack.mails}?address=${encodeURIComponent(address)}`)).json()) as CaughtMail[];

  /** Waits for the customer's mail. */
  const mailTo = (address: string) =>
    waitFor(`a mail to ${address}`, async () => (await mailsTo(address))[0], patience);

  return {
    headers,
    request,
    post,
    page,
    mailsTo,
    mailTo,
    /** Waits until the page's latest request has one of these states. */
    requestUntil: (landingPageID: string, ...states: string[]) =>
      waitFor(`a request that is ${states.join(" or ")}`, async () => (await page(landingPageID)).body.requests[0], {
        ...patience,
        until: ({ status }) => states.includes(status),
      }),
    /** A command of the operator. */
    operator: shown,
    /** A new template, made by the operator. */
    async template(...options: string[]): Promise<string> {
      const where = options.includes("--merchant") ? [] : ["--everywhere"];
      const [user = ""] = Buffer.from(basic, "base64").toString().split(":");
      const limits = ["--users", user, "--a-day", "1000", "--in-all", "1000"];
      const words = ["template", "create", "--name", "A page", ...where, ...limits, ...options];
      const made = await shown<{ templateAccessTokenID: string }>(...words);
      return made.templateAccessTokenID;
    },
    /** A new token, from the request, which is repeated after a 503, to the code in the customer's mail. */
    async token(more: Record<string, unknown> = {}) {
      const sent = request(more);
      const posted = await waitFor("an answer other than 503", () => post(sent), {
        ...patience,
        until: ({ status }) => status !== 503,
      });
      if (posted.status !== 202) throw new Error(`landing-page-request answered ${posted.status}`);
      const mail = await mailTo(sent.email);
      return { ...sent, mail, code: codeIn(mail) };
    },
  };
}

/** The code as the customer reads it. */
export function codeIn({ text }: Pick<CaughtMail, "text">): string {
  const [code] = /(?:[0-9A-Z]{4}-){3}[0-9A-Z]{3}[0-9A-Z*~$=]/.exec(text) ?? [];
  if (code === undefined) throw new Error(`a mail without a code: ${text}`);
  return code;
}
