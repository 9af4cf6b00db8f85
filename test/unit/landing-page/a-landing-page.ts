import { createServer } from "node:http";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import type { LandingPage, LandingPageRequest, TokenRequest } from "../../../clients/consumer/index.ts";
import { PlatformProblem } from "../../../clients/consumer/failures.ts";
import { landingPage } from "../../../examples/landing-page/landing-page.ts";
import { listenOnLoopback } from "../../../packages/local-azure/common/loopback-server.ts";
import { problem } from "../client/a-client.ts";

export const page = {
  landingPageID: "1c2d3e4f-5061-4273-9485-b6c7d8e9fa0b",
  productID: "2d3e4f50-6172-4384-8596-c7d8e9fa0b0c",
  templateAccessTokenID: "3e4f5061-7283-4495-96a7-d8e9fa0b1c0d",
};
export const filled = { email: "anna@example.com", consent: "yes", button: "1" };

/** The client's error for a problem of the platform. */
export const refused = (
  status: number,
  code: string,
  { retryable = false, seconds = 0, errors = [] as object[] } = {},
) => new PlatformProblem(problem(status, code, retryable, { errors }) as never, seconds || undefined);

/** The visible parts of a page, and its whole text. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The page's heading, its language, and the words of each element of a class. */
  readonly heading: string;
  readonly language: string;
  readonly scripts: number;
  /** The path that tells whether the mail failed. Empty if there is none. */
  readonly follows: string;
  words(cssClass: string): readonly string[];
}

/** A landing page in front of a platform that the test plays. Its clock stands still until the test moves it. */
export async function aLandingPage() {
  let now = Date.parse("2026-11-24T08:00:00Z");
  const requests: LandingPageRequest[] = [];
  const reports: string[] = [];
  const platform: {
    state: LandingPage["status"] | Error;
    reads: number;
    answer: TokenRequest["status"] | Error;
    reason?: TokenRequest["statusReason"];
    listed: LandingPage["requests"];
  } = { state: "active", reads: 0, answer: "received", listed: [] };
  const server = createServer();
  const { url, stop } = await listenOnLoopback(server, 0);
  const origin = new URL(url).origin;
  server.on(
    "request",
    landingPage({
      client: {
        landingPages: {
          async get() {
            platform.reads += 1;
            if (platform.state instanceof Error) throw platform.state;
            return { ...page, name: "Kiosk", status: platform.state, buttons: [], requests: platform.listed };
          },
          async request(request) {
            requests.push(request);
            if (platform.answer instanceof Error) throw platform.answer;
            const { answer: status, reason: statusReason } = platform;
            return { ...page, requestID: page.productID, status, ...(statusReason && { statusReason }) };
          },
        },
      },
      page,
      offer: { shop: "Kiosk & Sons", amount: 50, currency: "SEK" },
      origins: [origin, ""], // as an empty setting produces it
      addressHeader: "X-Forwarded-For",
      now: () => now,
      report: (sentence) => void reports.push(sentence),
    }),
  );
  const ask = async (init: RequestInit = {}, path = "/"): Promise<Shown> => shownBy(await fetch(origin + path, init));
  return {
    platform,
    requests,
    reports,
    stop,
    wait: (seconds: number) => void (now += seconds * 1000),
    ask,
    /** Sends the form as a browser without a script does. */
    send: (form: Record<string, string> = filled, headers: Record<string, string> = {}) =>
      ask({ method: "POST", body: new URLSearchParams(form), headers: { origin, ...headers } }),
  };
}

type Element = DefaultTreeAdapterTypes.Element;

async function shownBy(response: Response): Promise<Shown> {
  const text = await response.text();
  const elements = elementsIn(parse(text));
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value ?? "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    heading: named("h1").map(wordsOf).join(),
    language: named("html")
      .map((one) => attribute(one, "lang"))
      .join(),
    scripts: named("script").length,
    follows: elements.map((one) => attribute(one, "data-follow")).join(""),
    words: (cssClass) =>
      elements
        .filter((one) => attribute(one, "class").split(" ").includes(cssClass))
        .map(wordsOf)
        .filter((one) => one !== ""),
  };
}

const elementsIn = (node: DefaultTreeAdapterTypes.ParentNode): readonly Element[] =>
  node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...elementsIn(child)] : []));

const wordsOf = (node: DefaultTreeAdapterTypes.ParentNode): string =>
  node.childNodes
    .map((child) => ("value" in child ? child.value : "childNodes" in child ? wordsOf(child) : ""))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
