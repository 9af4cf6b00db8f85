import {
  tokenKinds,
  type AccessTokenTemplate,
  type TokenValue,
} from "../../../../shared/domain/access-token-template.ts";
import { fromMinorUnits, toMinorUnits } from "../../../../shared/domain/money.ts";
import { command, type Given, type Group } from "../command.ts";
import { findTemplate, lookOptions, newLook, preview, set, shownLook, templateID } from "./template-look.ts";
import { clock, newId, connectTables } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { flag, identifier, matching, oneOf, option, plainText, required, standard, text } from "../words.ts";
import { newIssuance, pageCreators } from "../../../../shared/domain/issuance.ts";
import {
  access,
  countOf,
  issued,
  limit,
  perDomainMeans,
  resume,
  shownIssuance,
  stop,
  users,
} from "./template-issuance.ts";

const templateName = matching(/^[^\p{Cc}]{1,80}$/u, "A template has a --name of up to 80 characters.");

const words = [
  required("--name <text>", "the name that customers read: up to 80 characters", templateName),
  required("--kind <voucher|key>", "what the template issues", oneOf(tokenKinds)),
  option("--amount <amount>", "how much a voucher takes off a payment, in --currency, such as 50", plainText),
  option("--currency <currency>", "the ISO 4217 code of --amount", plainText),
  option(
    "--percent <percent>",
    "how many percent a voucher takes off a payment, instead of --amount, such as 12.5",
    plainText,
  ).conflicts("amount"),
  flag("--product-only", "a voucher that takes nothing off a payment: it stands for its product").conflicts([
    "amount",
    "percent",
  ]),
  option("--valid-days <days>", "how many days an issued token is valid; default: 30", plainText),
  option("--valid-hours <hours>", "the same, in hours", plainText),
  option(
    "--merchant <merchantID>",
    "tokens are valid only at this merchant; otherwise use --everywhere",
    identifier,
  ).conflicts("everywhere"),
  flag("--everywhere", "tokens are valid at every merchant's terminals"),
  required("--users <user,user>", "the consumer users that may request tokens, as in CONSUMER_CREDENTIALS", users),
  required("--a-day <number>", "the most tokens on one UTC day", countOf("mostADay")),
  required("--in-all <number>", "the most tokens in total", countOf("mostInAll")),
  standard("--per-domain <number>", perDomainMeans, countOf("mostPerDomain"), "20"),
  standard("--pages <requests|operators>", "who creates its landing pages", oneOf(pageCreators), "requests"),
  standard("--locale <locale>", "the locale of its mails", text, "en-SE"),
  standard("--time-zone <zone>", "the time zone of its mails", text, "Europe/Stockholm"),
  option("--ends <date>", "no token is issued after this time, such as 2027-01-31T22:59:59Z", plainText),
  ...lookOptions,
];

const create = command({
  name: "create",
  does: "creates a template for vouchers or keys; later, only its mails, limits and users can be changed",
  words,
  examples: [
    'template create --name "Summer" --kind voucher --percent 10 --everywhere --users shop --a-day 100 --in-all 5000',
    'template create --name "Coffee" --kind voucher --amount 50 --currency SEK --merchant 7d1c1c5e-8f0f-4c57-9a3e-2f6f0f6f9f10 --users shop --a-day 100 --in-all 5000',
  ],
  writes: true,
  async run(given, { connect }) {
    const template = templateFrom(given, clock.now());
    const { users, aDay: mostADay, inAll: mostInAll, perDomain: mostPerDomain, pages } = given;
    const limits = { mostADay, mostInAll, mostPerDomain };
    const issuance = newIssuance({ templateId: template.templateId, ...limits, pages, users }, template.createdAt);
    const look = newLook(given);
    const { accessTokenTemplates } = connectTables(await connect());
    const { templateId, createdAt: updatedAt } = template;
    // Saves the look first, so that even the template's first mail has it.
    if (look) await accessTokenTemplates.saveLook({ templateId, ...look, updatedAt }, undefined);
    await accessTokenTemplates.add(template, issuance);
    return { ...shown(template), ...shownIssuance(issuance), ...(look && shownLook(template, look)) };
  },
});

const show = command({
  name: "show",
  does: "shows a template, how many tokens it has issued and may issue, and how its mails look",
  words: [templateID],
  examples: ["template show 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21"],
  async run({ templateID }, { connect }) {
    const tables = connectTables(await connect());
    const template = await findTemplate(tables, templateID);
    const look = (await tables.accessTokenTemplates.findLook(templateID))?.look ?? {};
    return { ...shown(template), ...(await issued(tables, templateID)), ...shownLook(template, look) };
  },
});

const list = command({
  name: "list",
  does: "lists the templates",
  examples: ["template list"],
  async run(_, { connect }) {
    return (await connectTables(await connect()).accessTokenTemplates.list()).map(shown);
  },
});

export const template: Group = {
  name: "template",
  does: "the templates from which vouchers and keys are issued",
  commands: [create, list, show, stop, resume, limit, access, set, preview],
};

function templateFrom(given: Given<typeof words>, now: string): AccessTokenTemplate {
  const { name, kind, locale, timeZone } = given;
  if (given.merchant === undefined && !given.everywhere)
    throw new UsageError("Say where its tokens are valid: --merchant <merchantID>, or --everywhere.");
  const value = fittingValue(given);
  if (!isKnown(() => new Intl.DateTimeFormat(locale))) throw new UsageError(`${locale} is not a locale.`);
  if (!isKnown(() => new Intl.DateTimeFormat("en", { timeZone })))
    throw new UsageError(`${timeZone} is not a time zone.`);
  return {
    templateId: newId(),
    name,
    kind,
    value,
    merchantId: given.merchant,
    validSeconds: secondsOf(given),
    locale,
    timeZone,
    endsAt: given.ends === undefined ? undefined : dateOf(given.ends),
    createdAt: now,
  };
}

/** The reduction that a voucher gives. A key has no reduction. A voucher has none only with `--product-only`. */
function fittingValue(given: Given<typeof words>): TokenValue | undefined {
  const value = valueOf(given);
  if (value && given.kind === "key")
    throw new UsageError("A key takes nothing off a payment: leave out --amount and --percent.");
  if (!value && given.kind === "voucher" && !given.productOnly)
    throw new UsageError("A voucher needs --amount and --currency, or --percent, or --product-only.");
  return value;
}

function valueOf({ amount, currency = "", percent }: Given<typeof words>): TokenValue | undefined {
  if (percent !== undefined) return percentOf(percent);
  return amount === undefined ? undefined : amountOf(amount, currency);
}

function percentOf(text: string): TokenValue {
  const percent = Number(text);
  if (!/^\d+(\.\d{1,2})?$/.test(text) || percent <= 0 || percent >= 100) {
    throw new UsageError("--percent is above 0 and below 100, with up to two decimals.");
  }
  return { kind: "percent", percent };
}

function amountOf(amount: string, currency: string): TokenValue {
  const minor = toMinorUnits(Number(amount), currency);
  if (!minor.ok || minor.value === 0) throw new UsageError("--amount is an amount of --currency, an ISO 4217 code.");
  return { kind: "amount", amount: minor.value, currency };
}

function secondsOf({ validDays: days, validHours: hours }: Given<typeof words>): number {
  const seconds = hours === undefined ? Number(days ?? 30) * 86_400 : Number(hours) * 3_600;
  if (!Number.isFinite(seconds) || seconds <= 0) throw new UsageError("--valid-days and --valid-hours are above zero.");
  return seconds;
}

function dateOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new UsageError(`${text} is not a date: write it like 2027-01-31T22:59:59Z.`);
  return moment.toISOString();
}

function isKnown(make: () => unknown): boolean {
  try {
    return make() !== undefined;
  } catch {
    return false; // Intl throws for an unknown name
  }
}

/** A template with the API's names and its value in the major unit. */
const shown = ({ templateId, value, merchantId, ...rest }: AccessTokenTemplate) => ({
  templateAccessTokenID: templateId,
  ...rest,
  value:
    value?.kind === "amount"
      ? { amount: fromMinorUnits(value.amount, value.currency), currency: value.currency }
      : value && { percent: value.percent },
  merchantID: merchantId,
});
