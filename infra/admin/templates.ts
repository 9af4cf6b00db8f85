import { parseArgs } from "node:util";
import { tokenKinds, type AccessTokenTemplate, type TokenValue } from "../../shared/domain/access-token-template.ts";
import { fromMinorUnits, toMinorUnits } from "../../shared/domain/money.ts";
import type { Subcommand } from "./subcommand.ts";
import { clock, newId, connectTables } from "./platform.ts";

export const createTemplate: Subcommand = {
  name: "template create",
  usage:
    "--name <what customers read> --kind voucher|key [--amount 50 --currency SEK | --percent 10] " +
    "[--valid-days 30 | --valid-hours 24] [--merchant <merchantID>] [--locale en-SE] [--time-zone Europe/Stockholm] [--ends <date>]",
  does: "creates a template for vouchers or keys; a template cannot be changed later",
  async run(args, connect) {
    const template = templateFrom(args, clock.now());
    await connectTables(await connect()).accessTokenTemplates.add(template);
    return shown(template);
  },
};

export const listTemplates: Subcommand = {
  name: "template list",
  usage: "",
  does: "lists the templates",
  async run(_, connect) {
    return (await connectTables(await connect()).accessTokenTemplates.list()).map(shown);
  },
};

const options = {
  name: { type: "string" },
  kind: { type: "string" },
  amount: { type: "string" },
  currency: { type: "string" },
  percent: { type: "string" },
  "valid-days": { type: "string" },
  "valid-hours": { type: "string" },
  merchant: { type: "string" },
  locale: { type: "string", default: "en-SE" },
  "time-zone": { type: "string", default: "Europe/Stockholm" },
  ends: { type: "string" },
} as const;
type Given = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

function templateFrom(args: string[], now: string): AccessTokenTemplate {
  const given = parseArgs({ args, options }).values;
  const { name = "", locale, "time-zone": timeZone } = given;
  const kind = tokenKinds.find((known) => known === given.kind);
  if (!kind) throw new Error("A template is for a voucher or a key: --kind voucher or --kind key.");
  if (!/^[^\p{Cc}]{1,80}$/u.test(name)) throw new Error("A template has a --name of up to 80 characters.");
  const value = valueOf(given);
  if (value && kind === "key") throw new Error("A key takes nothing off a payment: leave out --amount and --percent.");
  if (!isKnown(() => new Intl.DateTimeFormat(locale))) throw new Error(`${locale} is no locale.`);
  if (!isKnown(() => new Intl.DateTimeFormat("en", { timeZone }))) throw new Error(`${timeZone} is no time zone.`);
  return {
    templateId: newId(),
    name,
    kind,
    value,
    merchantId: given.merchant?.toLowerCase(),
    validSeconds: secondsOf(given),
    locale,
    timeZone,
    endsAt: given.ends === undefined ? undefined : dateOf(given.ends),
    createdAt: now,
  };
}

function valueOf({ amount, currency = "", percent }: Given): TokenValue | undefined {
  if (amount !== undefined && percent !== undefined) throw new Error("Either --amount or --percent.");
  if (percent !== undefined) return percentOf(percent);
  return amount === undefined ? undefined : amountOf(amount, currency);
}

function percentOf(text: string): TokenValue {
  const percent = Number(text);
  if (!/^\d+(\.\d{1,2})?$/.test(text) || percent <= 0 || percent >= 100) {
    throw new Error("--percent is above 0 and below 100, with up to two decimals.");
  }
  return { kind: "percent", percent };
}

function amountOf(amount: string, currency: string): TokenValue {
  const minor = toMinorUnits(Number(amount), currency);
  if (!minor.ok || minor.value === 0) throw new Error("--amount is an amount of --currency, an ISO 4217 code.");
  return { kind: "amount", amount: minor.value, currency };
}

function secondsOf({ "valid-days": days, "valid-hours": hours }: Given): number {
  const seconds = hours === undefined ? Number(days ?? 30) * 86_400 : Number(hours) * 3_600;
  if (!Number.isFinite(seconds) || seconds <= 0) throw new Error("--valid-days and --valid-hours are above zero.");
  return seconds;
}

function dateOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new Error(`${text} is no date: write it like 2027-01-31T22:59:59Z.`);
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
