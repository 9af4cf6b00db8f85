import { html, type Html } from "./html.ts";
import { moneyIn, textsIn, type Language, type Offer, type Texts } from "./texts.ts";

/** The errors of a customer's form, by field. `whole` concerns the form as a whole. */
export interface Wrong {
  readonly email?: string;
  readonly consent?: string;
  readonly whole?: string;
}

/** The customer's input, to be corrected. */
export interface Filled {
  readonly email: string;
  readonly consent: boolean;
}

/** The pages in one language, each as a whole document. */
export interface Pages {
  form(filled?: Filled, wrong?: Wrong): string;
  /** The mail is requested, or was already sent. The page's script follows the request, and learns if its mail failed. */
  sent(email: string, requestID: string): string;
  /** The offer takes no requests. */
  closed(state: "disabled" | "expired"): string;
}

export function pagesIn(language: Language, offer: Offer): Pages {
  const texts = textsIn(language);
  const title = texts.title(moneyIn(language, offer));
  const page = (heading: string, content: Html, windowTitle = heading) =>
    documentOf({ language, shop: offer.shop, heading, windowTitle, content });
  return {
    form(filled = { email: "", consent: false }, wrong = {}) {
      const isWrong = Object.keys(wrong).length > 0;
      return page(title, form(texts, filled, wrong), isWrong ? `${texts.errors.prefix}: ${title}` : title);
    },
    sent: (email, requestID) => page(texts.sent.title, sent(texts, email, requestID)),
    closed: (state) => page(texts.states[state].title, html`<p class="lead">${texts.states[state].text}</p>`),
  };
}

interface Document {
  readonly language: Language;
  readonly shop: string;
  readonly heading: string;
  readonly windowTitle: string;
  readonly content: Html;
}

const documentOf = ({ language, shop, heading, windowTitle, content }: Document): string =>
  `<!doctype html>\n${
    html`<html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${windowTitle} · ${shop}</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/page.css" />
        <script type="module" src="/page.js"></script>
      </head>
      <body>
        <main>
          <div class="stub">
            <p class="shop">${shop}</p>
            <h1 tabindex="-1">${heading}</h1>
          </div>
          <div class="rest">${content}</div>
        </main>
      </body>
    </html> `.html
  }`;

const form = (texts: Texts, { email, consent }: Filled, wrong: Wrong): Html =>
  html` <p class="lead">${texts.lead}</p>
    <form method="post" action="/" novalidate>
      <p class="notice" role="alert" tabindex="-1" ${hidden(wrong.whole === undefined)}>${wrong.whole}</p>
      <div class="field">
        <label for="email">${texts.email}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          maxlength="254"
          required
          value="${email}"
          ${described("email", wrong.email, true)}
        />
        ${error("email", wrong.email)}
      </div>
      <div class="field">
        <div class="choice">
          <input
            id="consent"
            name="consent"
            type="checkbox"
            value="yes"
            required
            ${checked(consent)}
            ${described("consent", wrong.consent, wrong.email === undefined)}
          />
          <label for="consent">${texts.consent}</label>
        </div>
        ${error("consent", wrong.consent)}
      </div>
      <p class="notice" role="alert" data-offline="${texts.errors.offline}" hidden></p>
      <div class="buttons">
        ${Object.entries(texts.buttons).map(
          ([number, label]) =>
            html` <button name="button" value="${number}" data-sending="${texts.sending}">${label}</button>`,
        )}
      </div>
      <p class="quiet">${texts.privacy}</p>
    </form>`;

/** The same page whether or not the voucher was sent before, so that a stranger does not learn who requested one today. */
const sent = ({ sent, noMail }: Texts, email: string, requestID: string): Html =>
  html` <p class="lead" data-follow="/sent/${requestID}">${sent.to} <strong class="address">${email}</strong></p>
    <p>${sent.next}</p>
    <section>
      <h2>${noMail.title}</h2>
      <p>${noMail.text}</p>
      <p><a href="/">${noMail.link}</a></p>
    </section>`;

/** The attributes of an invalid field. The first one gets the focus. */
const described = (field: string, wrong: string | undefined, isFirst: boolean): Html =>
  wrong === undefined
    ? html``
    : html`aria-invalid="true" aria-describedby="${field}-error" ${isFirst ? html`autofocus` : undefined}`;

const error = (field: string, wrong: string | undefined): Html =>
  wrong === undefined ? html`` : html`<p class="error" id="${field}-error">${wrong}</p>`;

const hidden = (isHidden: boolean): Html => (isHidden ? html`hidden` : html``);
const checked = (isChecked: boolean): Html => (isChecked ? html`checked` : html``);
