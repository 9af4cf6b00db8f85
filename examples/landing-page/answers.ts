import type {
  ConsumerClient,
  LandingPage,
  LandingPageRequest,
  PlatformProblem,
  TokenRequest,
} from "terminal-payments-consumer-client";
import { newLimit } from "./limits.ts";
import { pagesIn, type Filled, type Wrong } from "./pages.ts";
import { minutesIn, textsIn, type Language, type Offer } from "./texts.ts";

/** The page, the platform's client, the clock, and the report of failures. */
export interface AnswersOptions {
  readonly client: Pick<ConsumerClient, "landingPages">;
  readonly page: Pick<LandingPageRequest, "landingPageID" | "productID" | "templateAccessTokenID">;
  readonly offer: Offer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Reports a problem that needs a person. The text never holds an address, a password or a key. */
  readonly report: (sentence: string) => void;
}

/** An answer: its status, its page, and the seconds until a retry is allowed. */
export interface Answer {
  readonly status: number;
  readonly page: string;
  readonly retryAfter?: number;
}

/** The customer's form, and the network that it came from. */
export interface Sent {
  readonly form: URLSearchParams;
  readonly network: string;
}

export interface Answers {
  /** The page in its present state. */
  shown(language: Language): Promise<Answer>;
  /** Answers a customer's form in plain words. */
  asked(language: Language, sent: Sent): Promise<Answer>;
  /** The answer if no mail was sent for this request. Undefined while there is none, and for a request that is not known. */
  followed(language: Language, requestID: string): Promise<Answer | undefined>;
}

/** How often one network and one address may send a form. The platform has its own limits. These keep guessers away from it. */
const limits = {
  network: { most: 20, withinMs: 10 * 60_000 },
  email: { most: 5, withinMs: 60 * 60_000 },
};

export function newAnswers(options: AnswersOptions): Answers {
  const { client, page, offer, now, report } = options;
  const ofNetwork = newLimit(limits.network);
  const ofEmail = newLimit(limits.email);
  const state = pageState(options);

  function again(language: Language, filled: Filled, wrong: Wrong, status = 422): Answer {
    return { status, page: pagesIn(language, offer).form(filled, wrong) };
  }

  function tooMany(language: Language, filled: Filled, seconds: number): Answer {
    const whole = textsIn(language).errors.tooMany(minutesIn(language, seconds));
    return { ...again(language, filled, { whole }, 429), retryAfter: Math.ceil(seconds) };
  }

  /** The answer after the platform refused because the page takes no requests. It holds even if the page's state cannot be read. */
  async function closed(language: Language): Promise<Answer> {
    const { status } = await state(0);
    return { status: 409, page: pagesIn(language, offer).closed(status === "active" ? "disabled" : status) };
  }

  /** The answer to a request that ended without a mail, from its reason. */
  function unsent(language: Language, filled: Filled, reason: Reason | undefined): Promise<Answer> | Answer {
    const { errors } = textsIn(language);
    if (reason === "limitReached" || reason === "templateStopped") return closed(language);
    return again(language, filled, { email: isOfAddress.has(reason) ? errors.emailRefused : errors.unsent });
  }

  /** The answer to a failure, in words for the customer. A failure that only the shop can repair is reported. */
  async function failed(language: Language, filled: Filled, error: unknown): Promise<Answer> {
    const { errors } = textsIn(language);
    const problem = problemOf(error);
    if (problem?.code === "rate_limited") return tooMany(language, filled, problem.retryAfterSeconds ?? 60);
    if (problem?.code === "landing_page_unavailable") return closed(language);
    if (problem && isAboutAddress(problem)) return again(language, filled, { email: errors.email });
    report(`A voucher was not requested: ${sentenceOf(error)}`);
    if (problem && !problem.retryable) return again(language, filled, { whole: errors.fault }, 500);
    return { ...again(language, filled, { whole: errors.unavailable }, 503), retryAfter: 60 };
  }

  return {
    async shown(language) {
      const pages = pagesIn(language, offer);
      const { status } = await state();
      return { status: 200, page: status === "active" ? pages.form() : pages.closed(status) };
    },
    async asked(language, { form, network }) {
      const filled = filledIn(form);
      const tooSoon = ofNetwork(network, now());
      if (tooSoon !== undefined) return tooMany(language, filled, tooSoon / 1000);
      const button = form.get("button") ?? "";
      const wrong = wrongWith(language, filled, button);
      if (wrong) return again(language, filled, wrong);
      const tooOften = ofEmail(filled.email.toLowerCase(), now());
      if (tooOften !== undefined) return tooMany(language, filled, tooOften / 1000);
      try {
        const { email } = filled;
        const { status, statusReason, requestID } = await client.landingPages.request({
          ...page,
          button: Number(button),
          email,
          locale: language,
        });
        if (status === "emailFailed") return await unsent(language, filled, statusReason);
        return { status: 200, page: pagesIn(language, offer).sent(email, requestID) };
      } catch (error) {
        return failed(language, filled, error);
      }
    },
    async followed(language, requestID) {
      const { requests } = await state(FOLLOWED_MS);
      const request = requests.find((one) => one.requestID === requestID);
      if (request?.status !== "emailFailed") return undefined;
      return unsent(language, { email: "", consent: true }, request.statusReason);
    },
  };
}

type Reason = NonNullable<TokenRequest["statusReason"]>;

/** The reasons that another address, or its correction, may help against. */
const isOfAddress: ReadonlySet<Reason | undefined> = new Set(["addressRefused", "mailRefused", "mailServerSilent"]);

type State = Pick<LandingPage, "status" | "requests">;

/** How long a read state is used, so that a busy page does not query the platform for each reader. */
const STATE_MS = 10_000;
/** The same for a customer whose mail may have failed. */
const FOLLOWED_MS = 1_000;
/** How long a reader waits for the platform's state. */
const STATE_PATIENCE_MS = 2_000;

/**
 * Returns the page's state and latest requests at the platform, at most this many milliseconds old. A page without a request yet is
 * active. If the platform does not respond, the last known state is used: the customer's own request shows the truth.
 */
function pageState({ client, page, now, report }: AnswersOptions): (maxAgeMs?: number) => Promise<State> {
  let known: State = { status: "active", requests: [] };
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> = Promise.resolve();
  async function ask(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(STATE_PATIENCE_MS);
      known = await client.landingPages.get(page.landingPageID, { signal });
    } catch (error) {
      if (problemOf(error)?.code === "landing_page_not_found") known = { status: "active", requests: [] };
      else report(`The page's state is not known: ${sentenceOf(error)}`);
    }
  }
  return async (maxAgeMs = STATE_MS) => {
    if (now() - askedAt >= maxAgeMs) {
      askedAt = now();
      asking = ask();
    }
    await asking;
    return known;
  };
}

const filledIn = (form: URLSearchParams): Filled => ({
  email: (form.get("email") ?? "").trim().slice(0, 254),
  consent: form.get("consent") === "yes",
});

/** The errors of a form; undefined if there are none. The platform validates the address more strictly. */
function wrongWith(language: Language, { email, consent }: Filled, button: string): Wrong | undefined {
  const { errors, buttons } = textsIn(language);
  const wrong: Wrong = {
    ...(!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email: errors.email }),
    ...(!consent && { consent: errors.consent }),
    ...(!Object.hasOwn(buttons, button) && { whole: errors.button }),
  };
  return Object.keys(wrong).length === 0 ? undefined : wrong;
}

/** Recognized by its name, so it does not matter which copy of the client threw it. */
const problemOf = (error: unknown): PlatformProblem | undefined =>
  error instanceof Error && error.name === "PlatformProblem" ? (error as PlatformProblem) : undefined;

const isAboutAddress = ({ code, errors }: PlatformProblem): boolean =>
  code === "validation_failed" && errors.every(({ field }) => field === "email");

/** An error as a sentence for the log. A problem's message may repeat the customer's input, so it is left out. */
function sentenceOf(error: unknown): string {
  const problem = problemOf(error);
  if (problem) return `${problem.code}, request ${problem.requestID}`;
  return error instanceof Error ? error.message : String(error);
}
