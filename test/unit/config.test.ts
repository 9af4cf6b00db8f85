import { describe, expect, it } from "vitest";
import { describedSettings, readConfig } from "../../shared/edge/settings/config.ts";
import { fixedConsumer, fixedSecrets } from "../../packages/workbench/stack/fixed-keys.ts";
import { peppersOf, webhookSecretKeysOf } from "../../packages/workbench/stack/secrets.ts";
import { hashPassword } from "../../shared/edge/auth/basic-credentials.ts";
import overrides from "../../infra/azure/service-bus/overrides.json" with { type: "json" };
import { standardTimings } from "../../shared/domain/timings.ts";
import { MAX_BODY_BYTES } from "../../shared/edge/http/read-body.ts";
import example from "../../local.settings.example.json" with { type: "json" };

const required = {
  TABLES_CONNECTION: "UseDevelopmentStorage=true",
  SERVICE_BUS_CONNECTION: "Endpoint=sb://localhost",
  KEY_PEPPERS: '{"p1":"0123456789abcdef0123456789abcdef"}',
  CONSUMER_CREDENTIALS: "{}",
  TOKEN_CODE_KEYS: '{"k1":"0123456789abcdef0123456789abcdef"}',
  WEBHOOK_SECRET_KEYS: '{"w1":"0123456789abcdef0123456789abcdef"}',
  SMTP_URL: "smtp://localhost:2525",
  MAIL_FROM: "Shop <shop@example.com>",
};

it("reads each timing from a setting of its name", () => {
  const settings = {
    ACCEPTANCE_SECONDS: "1",
    EXPIRY_SECONDS: "2",
    ANSWER_SECONDS: "3",
    STILL_RUNNING_SECONDS: "11",
    OUTCOME_SECONDS: "4",
    DOUBT_SECONDS: "13",
    CAPTURE_SECONDS: "5",
    AUTHORIZATION_SECONDS: "12",
    RETRY_VOID_SECONDS: "6",
    ORDER_HORIZON_SECONDS: "6.5",
    ACTION_SECONDS: "7",
    DAY_TOTALS_SECONDS: "14",
    DAY_GRACE_SECONDS: "15",
    COMMIT_WINDOW_SECONDS: "8",
    LEASE_SECONDS: "9",
    OFFLINE_AFTER_SECONDS: "10",
    HEARTBEAT_SECONDS: "0.5",
  };
  expect(readConfig({ ...required, ...settings }).timings).toEqual({
    acceptanceSeconds: 1,
    expirySeconds: 2,
    answerSeconds: 3,
    stillRunningSeconds: 11,
    outcomeSeconds: 4,
    doubtSeconds: 13,
    captureSeconds: 5,
    authorizationSeconds: 12,
    retryVoidSeconds: 6,
    orderHorizonSeconds: 6.5,
    actionSeconds: 7,
    dayTotalsSeconds: 14,
    dayGraceSeconds: 15,
    commitWindowSeconds: 8,
    leaseSeconds: 9,
    offlineAfterSeconds: 10,
    heartbeatSeconds: 0.5,
  });
});

describe("tables and Service Bus", () => {
  const { TABLES_CONNECTION, SERVICE_BUS_CONNECTION, ...others } = required;
  const clientId = "11111111-2222-4333-8444-555555555555";
  const names = {
    TABLES_CONNECTION__accountName: "payments",
    SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: "payments.servicebus.windows.net",
  };
  const connectionsOf = (settings: Record<string, string>) => readConfig({ ...others, ...settings }).connections;

  it("are reached by their connection strings", () => {
    expect(connectionsOf({ TABLES_CONNECTION, SERVICE_BUS_CONNECTION })).toEqual({
      tables: TABLES_CONNECTION,
      serviceBus: SERVICE_BUS_CONNECTION,
    });
  });

  it("are reached with the system-assigned identity if only their names are set", () => {
    expect(connectionsOf(names)).toEqual({
      tables: { endpoint: "https://payments.table.core.windows.net" },
      serviceBus: { namespace: "payments.servicebus.windows.net" },
    });
  });

  it("are reached with the user-assigned identity of a client ID, each with its own", () => {
    const identity = {
      SERVICE_BUS_CONNECTION__clientId: clientId,
      SERVICE_BUS_CONNECTION__credential: "ManagedIdentity",
    };
    expect(connectionsOf({ ...names, ...identity })).toEqual({
      tables: { endpoint: "https://payments.table.core.windows.net" },
      serviceBus: { namespace: "payments.servicebus.windows.net", clientId },
    });
    const endpoint = "https://payments.table.core.usgovcloudapi.net/";
    const elsewhere = {
      SERVICE_BUS_CONNECTION,
      TABLES_CONNECTION__endpoint: endpoint,
      TABLES_CONNECTION__clientId: clientId,
    };
    expect(connectionsOf(elsewhere)).toEqual({
      tables: { endpoint: endpoint.slice(0, -1), clientId },
      serviceBus: SERVICE_BUS_CONNECTION,
    });
  });

  it("are reached by the exact name if it is set in addition to the names that begin with it", () => {
    expect(connectionsOf({ ...names, TABLES_CONNECTION, SERVICE_BUS_CONNECTION })).toEqual({
      tables: TABLES_CONNECTION,
      serviceBus: SERVICE_BUS_CONNECTION,
    });
  });

  it.each([
    [
      {},
      "TABLES_CONNECTION: is missing; with an identity, set TABLES_CONNECTION__accountName or TABLES_CONNECTION__endpoint",
    ],
    [{}, "SERVICE_BUS_CONNECTION: is missing; with an identity, set SERVICE_BUS_CONNECTION__fullyQualifiedNamespace"],
    [{ TABLES_CONNECTION__clientId: clientId }, "TABLES_CONNECTION: is missing"],
    [
      { ...names, TABLES_CONNECTION: "" },
      "TABLES_CONNECTION: is empty, and hides the settings whose names begin with it",
    ],
    [{ ...names, SERVICE_BUS_CONNECTION: "" }, "SERVICE_BUS_CONNECTION: is empty"],
    [
      { ...names, TABLES_CONNECTION__endpoint: "https://payments.table.core.windows.net" },
      "TABLES_CONNECTION__endpoint: names the account, as TABLES_CONNECTION__accountName does: remove one of them",
    ],
    [
      { ...names, TABLES_CONNECTION__accountName: "" },
      "TABLES_CONNECTION__accountName: must be the name of a storage account",
    ],
    [
      { TABLES_CONNECTION__endpoint: "http://payments.example" },
      "TABLES_CONNECTION__endpoint: must be an https address",
    ],
    [{ TABLES_CONNECTION__endpoint: "https://payments.example/?sig=hidden" }, "TABLES_CONNECTION__endpoint: must be"],
    [
      { ...names, SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: "sb://hidden.servicebus.windows.net" },
      "SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: must be like <namespace>.servicebus.windows.net, without a key",
    ],
    [
      { ...names, SERVICE_BUS_CONNECTION__clientId: "hidden" },
      "SERVICE_BUS_CONNECTION__clientId: must be the client ID",
    ],
    [{ ...names, TABLES_CONNECTION__credential: "hidden" }, "TABLES_CONNECTION__credential: must be managedidentity"],
  ])("are not guessed: %#", (settings, complaint) => {
    expect(() => connectionsOf(settings)).toThrow(complaint);
    expect(() => connectionsOf(settings)).not.toThrow("hidden");
  });
});

it("uses the standard timings unless a setting says otherwise", () => {
  expect(readConfig(required).timings).toEqual(standardTimings);
});

it("writes the oldest version that it reads until a setting switches it, and does not start with an unknown version", () => {
  expect(readConfig(required).writeVersion).toBe(1);
  expect(readConfig({ ...required, WRITE_VERSION: "1" }).writeVersion).toBe(1);
  for (const other of ["2", "0", "newest"])
    expect(() => readConfig({ ...required, WRITE_VERSION: other })).toThrow("WRITE_VERSION: ");
});

it("names every wrong setting in one sentence, without its value", () => {
  expect(() => readConfig({ ...required, MAIL_FROM: "shop", ACCEPTANCE_SECONDS: "0", LEASE_SECONDS: "soon" })).toThrow(
    "The app cannot start, these settings are missing or wrong: MAIL_FROM: must contain an address; " +
      "ACCEPTANCE_SECONDS: Too small: expected number to be >0; LEASE_SECONDS: Invalid input: expected number, received NaN",
  );
});

it("uses the address of the page of problems up to #, or none", () => {
  const read = (PROBLEM_PAGES_URL: string) => readConfig({ ...required, PROBLEM_PAGES_URL }).problemPagesUrl;
  expect(readConfig(required).problemPagesUrl).toBeUndefined();
  for (const url of ["https://docs.example/problems", "https://docs.example/problems/"]) expect(read(url)).toBe(url);
  for (const wrong of ["docs.example/problems", "https://docs.example/problems#", "https://docs.example/?page=1"])
    expect(() => read(wrong)).toThrow("PROBLEM_PAGES_URL: must be the address of a page, without ? and #, or none");
});

it("dead-letters a message after as many deliveries as the queues declare, unless a setting says otherwise", () => {
  expect(readConfig(required).maxDeliveryCount).toBe(overrides.MaxDeliveryCount);
  expect(readConfig({ ...required, MAX_DELIVERY_COUNT: "10" }).maxDeliveryCount).toBe(10);
  expect(() => readConfig({ ...required, MAX_DELIVERY_COUNT: "0" })).toThrow("MAX_DELIVERY_COUNT");
});

it("lets the Functions host cut off bodies at the same size at which the app refuses them, by the example of its settings", () => {
  expect(example.Values.FUNCTIONS_REQUEST_BODY_SIZE_LIMIT).toBe(String(MAX_BODY_BYTES));
});

it("uses the keys of codes and the peppers in their written order, and refuses a key whose position a number would change", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const keys = (...ids: string[]) => JSON.stringify(Object.fromEntries(ids.map((id) => [id, secret])));
  const read = readConfig({ ...required, TOKEN_CODE_KEYS: keys("k2", "k1"), KEY_PEPPERS: keys("b", "a") });
  expect([Object.keys(read.tokenCodeKeys), Object.keys(read.peppers)]).toEqual([
    ["k2", "k1"],
    ["b", "a"],
  ]);
  const complaint = "each identifier must begin with a letter, and have up to 32 letters, digits, - and _";
  expect(() => readConfig({ ...required, TOKEN_CODE_KEYS: keys("k2", "1") })).toThrow(complaint);
  expect(() => readConfig({ ...required, KEY_PEPPERS: "{}" })).toThrow("KEY_PEPPERS: must hold at least one");
});

it.each(["KEY_PEPPERS", "TOKEN_CODE_KEYS", "WEBHOOK_SECRET_KEYS"])(
  "does not start with a %s that could be guessed: one that is short, or repeats a few characters",
  (name) => {
    for (const weak of ["0123456789abcdef0123456789abcde", "x".repeat(64), "abcabcabc".repeat(8)])
      expect(() => readConfig({ ...required, [name]: JSON.stringify({ k: weak }) })).toThrow(`${name}: `);
  },
);

it.each(Object.keys(describedSettings))("does not start with a reference to Key Vault in %s", (name) => {
  const value = "@Microsoft.KeyVault(SecretUri=https://kv-app@example/secrets/x)";
  const wrong = [{ setting: name, reason: "is a reference to Key Vault that Azure could not resolve" }];
  expect(() => readConfig({ ...required, [name]: value })).toThrow(expect.objectContaining({ wrong }));
});

it.each(["?requireTLS=false", "?ignoreTLS=true", "?tls.rejectUnauthorized=false", "#x"])(
  "accepts no mail server whose address switches TLS off: %s",
  (options) => {
    const settings = { ...required, SMTP_URL: `smtp://user:secret@mail.example:587/${options}` };
    expect(() => readConfig(settings)).toThrow("SMTP_URL: must not contain ? or #: options there could turn TLS off");
  },
);

it("allows webhooks to this machine only if tables and Service Bus are on it", () => {
  const allowed = { ...required, WEBHOOKS_ALLOW_LOOPBACK: "true" };
  expect(readConfig(allowed).allowLoopbackWebhooks).toBe(true);
  const elsewhere = { ...allowed, TABLES_CONNECTION: "AccountName=payments;AccountKey=YQ==" };
  expect(() => readConfig(elsewhere)).toThrow(
    "WEBHOOKS_ALLOW_LOOPBACK: is true, and the tables or the Service Bus are not on this machine",
  );
});

it("limits the polls of an instance only if tables and Service Bus are on this machine", () => {
  expect(readConfig(required).pollsOfInstance).toBe(Infinity);
  const limited = { ...required, POLLS_OF_INSTANCE: "900" };
  expect(readConfig(limited).pollsOfInstance).toBe(900);
  const elsewhere = { ...limited, TABLES_CONNECTION: "AccountName=payments;AccountKey=YQ==" };
  expect(() => readConfig(elsewhere)).toThrow("POLLS_OF_INSTANCE: is set, and the tables or the Service Bus are not");
});

it.each([
  ["DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==", false],
  ["DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YQ==;TableEndpoint=http://tables.example/a", false],
  ["DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==;TableEndpoint=http://127.0.0.1:10002/a", true],
  ["UseDevelopmentStorage=true", true],
])("a connection string %s over http is accepted on this machine only", (TABLES_CONNECTION, isRight) => {
  const read = () => readConfig({ ...required, TABLES_CONNECTION });
  if (isRight) expect(read).not.toThrow();
  else expect(read).toThrow("TABLES_CONNECTION: must use https, or lead to this machine");
});

describe("a secret of the demo, which is public", () => {
  const demo = { KEY_PEPPERS: '{"local":"demo-only-pepper-of-keys-of-npm-start"}' };
  const tables = (address: string) => ({
    TABLES_CONNECTION: `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YQ==;TableEndpoint=${address};`,
  });
  const bus = (address: string) => ({
    SERVICE_BUS_CONNECTION: `Endpoint=${address};SharedAccessKeyName=a;SharedAccessKey=b;UseDevelopmentEmulator=true;`,
  });
  const complaint =
    "KEY_PEPPERS: holds a public key of the demo, and the tables or the Service Bus are not on this machine";

  it.each([
    {},
    tables("http://127.0.0.1:10002/devstoreaccount1"),
    tables("http://LOCALHOST:7096/devstoreaccount1"),
    tables("http://[::1]:7096/devstoreaccount1"),
    bus("sb://localhost:5672"),
    bus("sb://127.0.0.2/"),
  ])("is accepted if tables and Service Bus are on this machine: %j", (settings) => {
    expect(() => readConfig({ ...required, ...demo, ...settings })).not.toThrow();
  });

  it.each([
    tables("https://payments.table.core.windows.net"),
    tables("https://localhost.example:10002/a"),
    tables("https://127.0.0.1.evil.example/a"),
    tables("https://127.0.0.1@evil.example/a"),
    tables("https://evil.example/127.0.0.1"),
    tables("https://evil.example\\@127.0.0.1/a"),
    tables("https://host.docker.internal:10002/devstoreaccount1"),
    tables("https://[2001:db8::1]:10002/a"),
    tables("https://0.0.0.0:10002/a"),
    tables("https://127.0.0.1:10002/a;TableEndpoint=https://evil.example/a"),
    tables(""),
    { TABLES_CONNECTION: "DefaultEndpointsProtocol=https;AccountName=localhost;AccountKey=YQ==" },
    { TABLES_CONNECTION: "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://evil.example" },
    bus("sb://payments.servicebus.windows.net/"),
    bus("sb://localhost.servicebus.windows.net/"),
    bus("sb://host.docker.internal"),
    bus("sb://localhost;Endpoint =sb://evil.example"),
    { SERVICE_BUS_CONNECTION: "SharedAccessKeyName=localhost" },
    // Texts that the clients read differently: they find no TableEndpoint in these, and derive one from the account's name.
    ...[
      "Endpoint=sb://localhost",
      "DevelopmentStorageProxyUri=http://127.0.0.1",
      "TableEndpoint =https://127.0.0.1/a",
    ].map((here) => ({ TABLES_CONNECTION: `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YQ==;${here}` })),
    tables("https://127.0.0.1:10002/a;EndpointSuffix=core.windows.net"),
    tables("https://evil.exam\nple/a;TableEndpoint=https://127.0.0.1/a"),
    { SERVICE_BUS_CONNECTION: "UseDevelopmentStorage=true;SharedAccessKeyName=a" },
  ])("is refused if they are elsewhere, or might be: %j", (settings) => {
    expect(() => readConfig({ ...required, ...demo, ...settings })).toThrow(complaint);
    expect(() => readConfig({ ...required, ...settings })).not.toThrow();
  });

  it("is refused together with an identity, because only Azure has tokens for it", () => {
    const { TABLES_CONNECTION: _, ...others } = required;
    const named = { ...others, ...demo, TABLES_CONNECTION__accountName: "payments" };
    expect(() => readConfig(named)).toThrow(complaint);
  });

  it("is refused among others, and as the key of codes", () => {
    const keys = { own: "0123456789abcdef0123456789abcdef", local: "demo-only-code-key-of-npm-start-1" };
    const settings = { ...required, ...bus("sb://payments.servicebus.windows.net/") };
    expect(() => readConfig({ ...settings, TOKEN_CODE_KEYS: JSON.stringify(keys) })).toThrow(
      "TOKEN_CODE_KEYS: holds a public key of the demo",
    );
    expect(() => readConfig({ ...settings, KEY_PEPPERS: JSON.stringify(keys) })).toThrow(
      "KEY_PEPPERS: holds a public key of the demo",
    );
  });

  it("is every secret in the example of settings, and in npm start", () => {
    const elsewhere = { ...example.Values, ...bus("sb://payments.servicebus.windows.net/") };
    const all =
      /KEY_PEPPERS: holds a public.*TOKEN_CODE_KEYS: holds a public.*WEBHOOK_SECRET_KEYS: holds a public.*CONSUMER_CREDENTIALS: holds a public/;
    expect(() => readConfig(example.Values)).not.toThrow();
    expect(() => readConfig(elsewhere)).toThrow(all);
    const started = {
      KEY_PEPPERS: JSON.stringify(peppersOf(fixedSecrets)),
      TOKEN_CODE_KEYS: JSON.stringify({ local: fixedConsumer.codeKey }),
      WEBHOOK_SECRET_KEYS: JSON.stringify(webhookSecretKeysOf(fixedSecrets)),
      CONSUMER_CREDENTIALS: JSON.stringify({ shop: hashPassword("shop", fixedConsumer.password) }),
    };
    expect(() => readConfig({ ...required, ...started })).not.toThrow();
    expect(() => readConfig({ ...elsewhere, ...started })).toThrow(all);
  });
});
