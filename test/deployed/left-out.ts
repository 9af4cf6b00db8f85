/** Why a test cannot run on a deployed platform. */
export const lacks = {
  operator: "needs the operator's connection to tables and queues",
  host: "calls the Functions host itself, past the gateway",
  cloud: "starts a local cloud or gateway of its own",
  webhooks: "needs an address at which the platform reaches this machine (`webhooks` of the settings)",
  consumer: "needs the credentials of a web application (`consumer` of the settings)",
  mails: "needs a mail sink (`mails` of the settings)",
  deadlines: "waits out deadlines of seconds (`hasShortDeadlines` of the settings)",
} as const;
export type Lack = keyof typeof lacks;

interface Needs {
  readonly file: string;
  /** A part of the full name of each test that the entry applies to. If it is left out, the entry applies to every test of the file. */
  readonly test?: string;
  readonly needs: readonly Lack[];
}

/** The needs of the black-box tests in addition to the keys of a partner, its terminals and a subscription. */
export const needs: readonly Needs[] = [
  { file: "action-requests", needs: ["webhooks"] },
  { file: "cancelling", needs: ["webhooks"] },
  { file: "charges", test: "at the third try", needs: ["deadlines", "webhooks"] },
  { file: "consumer", needs: ["consumer"] },
  { file: "consumer", test: "in the specification's own shape", needs: ["mails"] },
  { file: "consumer", test: "with another product or template", needs: ["operator"] },
  { file: "consumer", test: "no access to functions of partners", needs: ["host"] },
  { file: "consumer", test: "the operator", needs: ["operator"] },
  { file: "contract", needs: ["consumer", "operator"] },
  { file: "correcting", needs: ["operator"] },
  { file: "deadlines", needs: ["deadlines"] },
  { file: "discounts", needs: ["webhooks"] },
  { file: "e2e-settings", needs: ["operator"] },
  { file: "edges", test: "too many requests", needs: ["cloud"] },
  { file: "edges", test: "a response without a name", needs: ["operator"] },
  { file: "events", needs: ["webhooks"] },
  { file: "events", test: "one that is away", needs: ["cloud"] },
  { file: "events", test: "the terminals that it reaches", needs: ["operator"] },
  { file: "pasted-requests", needs: ["consumer"] },
  { file: "refunding", needs: ["webhooks"] },
  { file: "refunding", test: "strict merchant", needs: ["operator"] },
  { file: "refusals", test: "a restore could not read", needs: ["operator"] },
  { file: "requests", needs: ["webhooks"] },
  { file: "retention", needs: ["operator"] },
  { file: "sample-receiver", needs: ["cloud"] },
  { file: "smoke", needs: ["consumer"] },
  { file: "tenants", needs: ["operator"] },
  { file: "terminals", test: "falls silent", needs: ["deadlines"] },
  { file: "timeline", test: "an operator", needs: ["operator"] },
  { file: "timeline", test: "a webhook", needs: ["webhooks", "operator"] },
  { file: "troubles", needs: ["cloud"] },
  { file: "unreadable-headers", test: "the Functions host", needs: ["host"] },
  { file: "vouchers", needs: ["operator"] },
  { file: "waiting-messages", test: "a terminal that is off", needs: ["deadlines"] },
  { file: "waiting-messages", test: "is withdrawn by its refundID", needs: ["operator"] },
  { file: "webhook-test", needs: ["webhooks"] },
];

/** Why the test is left out if the platform lacks these; undefined if it runs. `file` is the path of its file. */
export function whyLeftOut(file: string, test: string, lacking: readonly Lack[]): string | undefined {
  const own = needs.filter((one) => file.endsWith(`/${one.file}.test.ts`) && test.includes(one.test ?? ""));
  const lack = own.flatMap((one) => one.needs).find((need) => lacking.includes(need));
  return lack && lacks[lack];
}
