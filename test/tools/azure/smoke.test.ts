import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { checksOf, findings, stateOf } from "../../../infra/azure/hooks/smoke-checks.ts";
import { knownOf, repeated, startAnew } from "../../../infra/azure/hooks/smoke.ts";
import type { Azure, AzureResponse } from "../../../infra/azure/hooks/azure.ts";
import { listening } from "../../../packages/local-azure/common/test/listening.ts";

/** A gateway's response to every request. */
interface Response {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const problem = (status: number, code: string): Response => ({
  status,
  type: "application/problem+json",
  body: JSON.stringify({ code, status }),
});

/** The smoke test's findings about a gateway with this response to every request, by the subject of each check. */
async function saidOf({ status, type, body }: Response): Promise<Map<string, string>> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": type, "x-request-id": "r" }).end(body);
  });
  const { checks } = checksOf({ gatewayUrl: `http://127.0.0.1:${await listening(server)}` });
  return new Map((await findings(checks)).map(({ check, wrong }) => [check.what, wrong]));
}

const report = "POST /terminals/report with an unknown terminal key";

describe("the smoke test reports about a deployment", () => {
  it.each([
    [
      "of which no function is indexed",
      { status: 404, type: "text/html", body: "<html>" },
      "got 404, not in the platform's form, expected 401 invalid_credentials: the gateway has no such operation",
    ],
    [
      "whose keys differ",
      problem(503, "dependency_unavailable"),
      "got 503 dependency_unavailable, expected 401 invalid_credentials: the app does not respond",
    ],
    ["that fails", problem(500, "internal_error"), "got 500 internal_error, expected 401"],
    [
      "whose host refuses unshaped",
      { status: 401, type: "text/plain", body: "" },
      "got 401, not in the platform's form, expected 401 invalid_credentials: a response of the Functions host",
    ],
    [
      "that lets everyone in",
      { status: 200, type: "application/json", body: "{}" },
      "got 200, not in the platform's form, expected 401",
    ],
    ["that counts too strictly", problem(429, "rate_limited"), "got 429 rate_limited, expected 401"],
  ])("%s what is wrong", async (_, response, sentence) => {
    expect((await saidOf(response)).get(report)).toContain(sentence);
  });

  it("that refuses everything in the same way that it is not healthy", async () => {
    const said = await saidOf(problem(401, "invalid_credentials"));
    expect([...said.keys()]).toEqual([
      "GET /probes/health",
      "GET /outside that no API has",
      "POST /terminals/raise-action-request with a body above 64 KiB",
      "POST /terminals/raise-action-request with a body that is no JSON",
    ]);
  });

  it("that does not respond that it does not, in each check", async () => {
    const { checks } = checksOf({ gatewayUrl: "http://127.0.0.1:9" });
    const wrong = await findings(checks);
    expect(wrong).toHaveLength(checks.length);
    expect(wrong.every((one) => one.wrong.startsWith("no response: "))).toBe(true);
  });
});

const variables = {
  gatewayUrl: "https://gateway.example/",
  AZURE_SUBSCRIPTION_ID: "sub",
  AZURE_RESOURCE_GROUP: "rg",
  apiManagement: "apim",
  keyVault: "kv-app",
  keysVault: "kv-keys",
};

it("checks that this machine may not make are left out, and reported", async () => {
  const closed: Azure = { send: async () => ({ status: 403, body: undefined }), deployer: async () => "deployer" };
  const known = await knownOf(closed, variables);
  expect(known).toEqual({ gatewayUrl: "https://gateway.example" });
  expect(checksOf(known).leftOut).toHaveLength(4);
});

it("with full permissions every check is made", async () => {
  const values: Readonly<Record<string, string>> = {
    "CONSUMER-CREDENTIALS": JSON.stringify({ kiosk: "x", "web-first": "y" }),
    "CONSUMER-PASSWORD-web-first": "password",
    "function--landing-045page-045request--consumer": "key",
  };
  const open: Azure = {
    async send({ url }) {
      if (url.includes("listSecrets")) return { status: 200, body: { primaryKey: "subscription" } };
      return {
        status: url.includes("roleAssignments") ? 204 : 200,
        body: { value: values[/secrets\/([\w-]+)\?/.exec(url)?.[1] ?? ""] },
      };
    },
    deployer: async () => "deployer",
  };
  const known = await knownOf(open, { ...variables, CONSUMER_WEB_ORIGIN: "https://shop.example" });
  expect(known).toMatchObject({
    subscriptionKey: "subscription",
    consumerKey: "key",
    consumer: { user: "web-first", password: "password" },
  });
  expect(checksOf(known).leftOut).toEqual([]);
});

describe("a deployer without a role in the vault of keys", () => {
  /** A vault that lets the deployer in at the second read after it has the role. */
  function vaultOf({ isEffectiveAfter = 2, removal = 200 } = {}) {
    const changes: string[] = [];
    let reads = 0;
    const cloud: Azure = {
      deployer: async () => "deployer",
      async send({ method, url, body }) {
        if (url.includes("roleAssignments")) {
          changes.push(`${method} ${JSON.stringify(body ?? {})}`);
          return { status: method === "DELETE" ? removal : 201, body: {} };
        }
        if (!url.includes("kv-keys")) return { status: 403, body: {} };
        if (changes.length > 0 && ++reads >= isEffectiveAfter) return { status: 200, body: { value: "key" } };
        return { status: 403, body: { error: { code: "Forbidden", innererror: { code: "ForbiddenByRbac" } } } };
      },
    };
    return { changes, known: () => knownOf(cloud, variables, { wait: async () => {}, tries: 3 }) };
  }

  it("has the role only for as long as it reads", async () => {
    const { changes, known } = vaultOf();
    expect(await known()).toMatchObject({ consumerKey: "key" });
    expect(changes).toEqual([expect.stringMatching(/^PUT .*"principalId":"deployer".*4633458b/), "DELETE {}"]);
  });

  it("loses it also if it never becomes effective", async () => {
    const { changes, known } = vaultOf({ isEffectiveAfter: 9 });
    expect(await known()).not.toHaveProperty("consumerKey", "key");
    expect(changes.map((change) => change.split(" ")[0])).toEqual(["PUT", "DELETE"]);
  });

  it("is told if the role stays", async () => {
    await expect(vaultOf({ removal: 403 }).known()).rejects.toThrow(
      "keeps the role Key Vault Secrets User in the vault kv-keys",
    );
  });
});

describe("an app that does not start with its settings", () => {
  /** A platform that, depending on `isWellAnew`, is healthy once its app has restarted. It records the actions on it, in order. */
  async function asked({ state = "notStarted", isWellAnew = true, rounds = 5 } = {}) {
    const done: string[] = [];
    let isWell = false;
    const run = async () => {
      done.push("asked");
      return isWell ? undefined : "got 503";
    };
    const wrong = await repeated([{ what: "GET /", run }], {
      isPatient: () => rounds-- > 0,
      wait: async () => void done.push("waited"),
      state: async () => state,
      startAnew: async () => {
        done.push("started anew");
        isWell = isWellAnew;
        return "It starts anew.";
      },
      say: () => {},
    });
    return { done, wrong: wrong.length };
  }

  it("is restarted, and checked again", async () => {
    expect(await asked()).toEqual({ done: ["asked", "started anew", "waited", "asked"], wrong: 0 });
  });

  it("is restarted once, and the error is reported at the end", async () => {
    const { done, wrong } = await asked({ isWellAnew: false });
    expect(done.filter((one) => one === "started anew")).toHaveLength(1);
    expect({ asked: done.filter((one) => one === "asked").length, wrong }).toEqual({ asked: 6, wrong: 1 });
  });

  it("is not restarted if it runs, whatever else is wrong", async () => {
    expect((await asked({ state: "alive" })).done).not.toContain("started anew");
  });

  const app = { ...variables, functionApp: "func" };
  /** The requests to Azure that restart the app, and the line of the output. */
  async function startedAnew(response: AzureResponse) {
    const calls: string[] = [];
    const send: Azure["send"] = async ({ method, url }) => {
      calls.push(`${method} ${new URL(url).pathname.split("/Microsoft.Web/")[1]}`);
      return response;
    };
    return { said: await startAnew({ send }, app), calls };
  }

  it("reads its references to secrets again before it restarts", async () => {
    const { calls, said } = await startedAnew({ status: 200, body: undefined });
    expect(calls).toEqual(["POST sites/func/config/configreferences/appsettings/refresh", "POST sites/func/restart"]);
    expect(said).toContain("reads its secrets again");
  });

  it("is not restarted if they cannot be read again, and the reason is reported", async () => {
    const { calls, said } = await startedAnew({ status: 403, body: { error: { code: "AuthorizationFailed" } } });
    expect(calls).toHaveLength(1);
    expect(said).toContain("configreferences/appsettings/refresh was refused (403 AuthorizationFailed)");
  });

  it("is recognized by the responses that the gateway passes on", async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(503, { "content-type": "application/json" }).end('{"status":"notStarted"}');
    });
    expect(await stateOf(`http://127.0.0.1:${await listening(server)}`)).toBe("notStarted");
  });
});
