import type { StackFile } from "../stack-file.ts";
import type { OperationView } from "./views/operations.ts";
import type { TryWish } from "./views/try.ts";

/**
 * The call as TypeScript with the typed client of its API; undefined where there is none, and for a body that is no JSON. What the
 * operation's schema forbids is shown as well, and then does not compile.
 */
export function clientCode(operation: OperationView, wish: TryWish, file: StackFile): string | undefined {
  const client = clients[operation.api];
  if (!client) return undefined;
  const body = operation.body === undefined ? undefined : jsonIn(wish.body ?? "");
  if (body === "none") return undefined;
  const { api: name } = operation;
  const { make, connectionTo } = client;
  return `import { ${make} } from "terminal-payments-${name}-client";

const ${name} = ${make}(${literal(connectionTo(file))});

${methodCall(operation, wish, body?.value) ?? rawCall(operation, wish, body)}`;
}

interface TypedClient {
  /** The function that makes one, and what it is made with. */
  readonly make: string;
  readonly connectionTo: (file: StackFile) => object;
}

const clients: Readonly<Partial<Record<OperationView["api"], TypedClient>>> = {
  partners: {
    make: "partnersClient",
    connectionTo: ({ partnersUrl: baseUrl, demo: { apikey, subscriptionKey } }) => ({
      baseUrl,
      apikey,
      subscriptionKey,
    }),
  },
  consumer: {
    make: "consumerClient",
    connectionTo({ consumerUrl: baseUrl, demo: { consumer } }) {
      const [, user, password] = /^(.*?):(.*)$/s.exec(Buffer.from(consumer.basic, "base64").toString()) ?? [];
      return { baseUrl, user, password, functionKey: consumer.functionKeys["landing-page-request"] };
    },
  },
};

/** A method of the client, by the operation's name: where it is, and the arguments that it takes of the body or the path. */
type Method = readonly [
  name: string,
  argumentsOf: (given: Readonly<Record<string, unknown>>) => readonly unknown[] | undefined,
];

/** The whole body but its constant, where it has all of these members. */
const bodyWith =
  (msgType: string | undefined, ...names: readonly string[]) =>
  ({ msgType: sent, ...body }: Readonly<Record<string, unknown>>) =>
    sent === msgType && names.every((name) => name in body) ? [body] : undefined;

/** These members, where there are no others. */
const membersAlone =
  (...names: readonly string[]) =>
  (given: Readonly<Record<string, unknown>>) =>
    names.every((name) => name in given) && Object.keys(given).length === names.length
      ? names.map((name) => given[name])
      : undefined;

/** The query of a page, with its numbers as numbers. */
const pageQuery = ({ after, ...numbers }: Readonly<Record<string, unknown>>) => {
  const query = Object.entries(numbers).map(([name, value]) => [name, Number(value)]);
  return [Object.fromEntries(after === undefined ? query : [["after", after], ...query])];
};

/** The query of a list, with its number as a number. */
const listQuery = ({ limit, ...query }: Readonly<Record<string, unknown>>) => [
  limit === undefined ? query : { ...query, limit: Number(limit) },
];

const methods: Readonly<Record<string, Method>> = {
  "pos-payment-request": ["payments.request", bodyWith("paymentRequest", "sessionID")],
  "pos-payment-cancel": ["payments.cancel", bodyWith("paymentCancel", "sessionID")],
  "pos-payment-capture": ["payments.capture", bodyWith("paymentCapture", "sessionID")],
  "pos-payment-refund": ["payments.refund", bodyWith("paymentRefund", "refundID")],
  "pos-payment": ["payments.get", membersAlone("session_id")],
  "pos-payment-timeline": ["payments.timeline", membersAlone("session_id")],
  "pos-payments": ["payments.list", listQuery],
  "add-discount": ["discounts.add", bodyWith(undefined, "sessionID", "discountID")],
  "pos-status": ["terminals.status", membersAlone("point_of_service_id")],
  "set-pos-status": ["terminals.setStatus", membersAlone("pointOfServiceID", "statusCode")],
  events: ["eventPage", pageQuery],
  "pos-day": ["terminals.day", membersAlone("point_of_service_id", "date")],
  settlements: ["settlements.get", membersAlone("date")],
  "action-request": ["actionRequests.get", membersAlone("action_request_id")],
  "action-request-response": ["actionRequests.respond", membersAlone("actionRequestID", "responseCode")],
  "landing-page-request": [
    "landingPages.request",
    bodyWith(undefined, "landingPageID", "productID", "templateAccessTokenID", "button", "email"),
  ],
  "get-landing-page": ["landingPages.get", membersAlone("landing_page_id")],
};

/** The call by the client's method; undefined where that does not take what is given, such as a header or a refund without a name. */
function methodCall(operation: OperationView, wish: TryWish, body: unknown): string | undefined {
  const [name, argumentsOf] = methods[operation.id] ?? [];
  const given = givenFields(operation, wish);
  const isBoth = body !== undefined && given.length > 0;
  if (argumentsOf === undefined || isBoth) return undefined;
  const members =
    body === undefined ? given.map(({ name, value }) => [name, value]) : Object.entries(Object(body) as object);
  const args = argumentsOf(Object.fromEntries(members) as Record<string, unknown>);
  return args && `console.log(await ${operation.api}.${name}(${args.map((one) => literal(one)).join(", ")}));\n`;
}

function rawCall(operation: OperationView, wish: TryWish, body: { readonly value: unknown } | undefined): string {
  const options = { ...paramsOf(operation, wish), ...(body && { body: body.value }) };
  return `const { data, error } = await ${operation.api}.raw.${operation.method}(${JSON.stringify(operation.path)}${
    Object.keys(options).length === 0 ? "" : `, ${literal(options)}`
  });
if (error) throw new Error(\`\${error.code}: \${error.title}\`);
console.log(data);
`;
}

function jsonIn(text: string): { readonly value: unknown } | "none" {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return "none";
  }
}

/** The parameters without those that are left empty. */
const givenFields = ({ fields }: OperationView, wish: TryWish) =>
  fields.flatMap(({ name, in: place }) => {
    const value = wish.fields[name] ?? "";
    return value === "" ? [] : [{ name, place, value }];
  });

/** The given parameters by their places. */
function paramsOf(operation: OperationView, wish: TryWish): { readonly params?: object } {
  const given = givenFields(operation, wish);
  if (given.length === 0) return {};
  const places = Object.entries(Object.groupBy(given, ({ place }) => place));
  return {
    params: Object.fromEntries(
      places.map(([place, members]) => [place, Object.fromEntries(members.map(({ name, value }) => [name, value]))]),
    ),
  };
}

const plainName = /^[A-Za-z_$][\w$]*$/;

/** A JSON value as a TypeScript literal, in the house's layout. */
function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => literal(item, deeper))
    : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${deeper}${line},\n`).join("")}${indent}${close}`;
}

/** A member's name. The one that would set the object's prototype is computed. */
function nameOf(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return plainName.test(name) ? name : JSON.stringify(name);
}
