import { expect, it } from "vitest";
import { readConfig } from "../../shared/config.ts";
import overrides from "../../infra/service-bus/overrides.json" with { type: "json" };
import { standardTimings } from "../../shared/domain/timings.ts";
import { MAX_BODY_BYTES } from "../../shared/http/read-body.ts";
import example from "../../local.settings.example.json" with { type: "json" };

const required = {
  TABLES_CONNECTION: "UseDevelopmentStorage=true",
  SERVICE_BUS_CONNECTION: "Endpoint=sb://localhost",
  KEY_PEPPERS: '{"p1":"0123456789abcdef"}',
  CONSUMER_CREDENTIALS: "{}",
  TOKEN_CODE_KEYS: '{"k1":"0123456789abcdef0123456789abcdef"}',
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
    commitWindowSeconds: 8,
    leaseSeconds: 9,
    offlineAfterSeconds: 10,
    heartbeatSeconds: 0.5,
  });
});

it("takes the standard timings where no setting says otherwise", () => {
  expect(readConfig(required).timings).toEqual(standardTimings);
});

it("names every wrong setting in one sentence, and no value", () => {
  expect(() => readConfig({ ...required, MAIL_FROM: "shop", ACCEPTANCE_SECONDS: "0", LEASE_SECONDS: "soon" })).toThrow(
    "The app cannot start, these settings are missing or wrong: MAIL_FROM: must hold an address; " +
      "ACCEPTANCE_SECONDS: Too small: expected number to be >0; LEASE_SECONDS: Invalid input: expected number, received NaN",
  );
});

it("buries a message after as many deliveries as the queues are declared with, where no setting says otherwise", () => {
  expect(readConfig(required).maxDeliveryCount).toBe(overrides.MaxDeliveryCount);
  expect(readConfig({ ...required, MAX_DELIVERY_COUNT: "10" }).maxDeliveryCount).toBe(10);
  expect(() => readConfig({ ...required, MAX_DELIVERY_COUNT: "0" })).toThrow("MAX_DELIVERY_COUNT");
});

it("has the Functions host cut off bodies where the app refuses them, by the example of its settings", () => {
  expect(example.Values.FUNCTIONS_REQUEST_BODY_SIZE_LIMIT).toBe(String(MAX_BODY_BYTES));
});

it("takes the keys of codes and the peppers in the order in which they are written, and none whose place a number would change", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const keys = (...ids: string[]) => JSON.stringify(Object.fromEntries(ids.map((id) => [id, secret])));
  const read = readConfig({ ...required, TOKEN_CODE_KEYS: keys("k2", "k1"), KEY_PEPPERS: keys("b", "a") });
  expect([Object.keys(read.tokenCodeKeys), Object.keys(read.peppers)]).toEqual([
    ["k2", "k1"],
    ["b", "a"],
  ]);
  const complaint = "an identifier begins with a letter, and has up to 32 letters, digits, - and _";
  expect(() => readConfig({ ...required, TOKEN_CODE_KEYS: keys("k2", "1") })).toThrow(complaint);
  expect(() => readConfig({ ...required, KEY_PEPPERS: "{}" })).toThrow("KEY_PEPPERS: must hold one at least");
});
