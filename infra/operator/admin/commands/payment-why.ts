import { isIdentifier } from "../../../../shared/domain/identifier.ts";
import { after, dayOf, type Day } from "../../../../shared/domain/time.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import {
  paymentsChangedBy,
  paymentsOfSession,
  type NamedPayment,
} from "../../../../shared/use-cases/operator/inspect/find-payment.ts";
import { command } from "../command.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { storyOf } from "../../common/story.ts";
import { namesText, terminalNames } from "../terminal-names.ts";
import { argument, day, identifier, matching, option } from "../words.ts";
import { inspectedPayment } from "./inspected-payment.ts";

/** How many days are searched by default, including today. */
const DAYS = 7;

const eitherID = matching(
  /^[\w.-]{8,64}$/,
  "Name a requestID or a sessionID: 8 to 64 letters, digits, dots or dashes.",
);

export const whyPayment = command({
  name: "why",
  does: "explains the state of a payment: each change, who made it and what it caused",
  words: [
    argument("<requestID|sessionID>", "a request that changed the payment, or the payment's session", eitherID),
    option("--day <YYYY-MM-DD>", `the UTC day of the request; default: the last ${DAYS} days, the latest first`, day),
    option("--partner <partnerID>", "only payments of this partner", identifier),
  ],
  details:
    "A request that was rejected, replayed or only read has changed no payment. Look for its requestID in the log.",
  examples: [
    "payment why 8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02",
    "payment why 8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02 --day 2026-11-21",
  ],
  async run({ "requestID|sessionID": name, day, partner }, { connect, note }) {
    const tables = connectTables(await connect());
    const days = day === undefined ? lastDays(clock.now()) : [day];
    const { key, change } = await theNamed(tables, name, { days, partner });
    const inspected = await inspectedPayment(tables, key);
    const names = await terminalNames(tables, [key.terminalId], note);
    return storyOf(inspected, change, namesText(names(key.terminalId))).join("\n");
  },
});

const lastDays = (now: string): readonly Day[] =>
  Array.from({ length: DAYS }, (_, before) => dayOf(after(now, -before * 24 * 3600)));

interface Within {
  readonly days: readonly Day[];
  readonly partner: string | undefined;
}

/** Finds the one payment with this name. Throws an error for the operator if it finds none or several. */
async function theNamed(tables: TablePorts, name: string, { days, partner }: Within): Promise<NamedPayment> {
  const ofPartner = (found: readonly NamedPayment[]) =>
    found.filter(({ key }) => partner === undefined || key.partnerId === partner);
  const ofSession = isIdentifier(name) ? ofPartner(await paymentsOfSession(tables, name)) : [];
  const found = ofSession.length > 0 ? ofSession : ofPartner(await paymentsChangedBy(tables, name, days));
  const [one, ...others] = found;
  if (!one) throw new Error(noneFound(days));
  if (others.length === 0) return one;
  const partners = found.map(({ key }) => `--partner ${key.partnerId}`);
  throw new Error(`Several payments have this identifier; name one: ${partners.join(", ")}.`);
}

function noneFound(days: readonly Day[]): string {
  const searched = days.length === 1 ? `on ${days[0]}` : `from ${days.at(-1)} to ${days[0]}`;
  return (
    `No payment has this session, and this request changed no payment ${searched}. ` +
    "Name another day with --day. A request that changed nothing is only in the log, under its requestID."
  );
}
