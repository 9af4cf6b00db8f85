import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onboardingText, parsedOnboarding } from "../../../infra/operator/admin/onboarding-text.ts";
import { perform, type World } from "../../../infra/operator/admin/program.ts";
import type { Cloud } from "../../../infra/operator/common/cloud.ts";
import { keyMaker, newId, signingOf } from "../../../infra/operator/common/platform.ts";
import { chooseOnboarding, type OnboardingWish } from "../../../shared/use-cases/operator/onboarding/onboard.ts";

const now = () => "2026-11-30T10:00:00.000Z";
const keyrings = { peppers: { p1: "a pepper" }, webhookSecretKeys: { w1: "a key" } };
const local: Cloud = {
  tables: "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/none",
  serviceBus: "Endpoint=sb://127.0.0.1/",
  isLocal: true,
  around: { baseUrl: "http://127.0.0.1:7071", subscriptionKey: "public" },
  ...keyrings,
};
const azure: Cloud = { ...local, isLocal: false, around: { resourceGroup: "rg", apiManagement: "apim" } };

const chosen = (wish: Partial<OnboardingWish> = {}) =>
  chooseOnboarding(
    { newKeys: keyMaker(local), signing: signingOf(local) },
    { now, newId },
    { name: "Kassabolaget", scopes: ["payments", "refunds"], terminals: 1, ...wish },
  );

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "onboarding-"));
  file = join(folder, "partner.env");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The variables of this process's environment that a file adds, as the reader hands them on. */
const NAMES = "/^(BASE_|API|SUB|MERC|TERM|WEB|PARTNER_|SCOPES|CLOUD)/";
const PRINT = `console.log(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) => ${NAMES}.test(name)))))`;
const PATH = process.env["PATH"] ?? "";

const readByNode = (): unknown =>
  JSON.parse(execFileSync(process.execPath, [`--env-file=${file}`, "-e", PRINT], { env: { PATH }, encoding: "utf8" }));
const readBy = (shell: string): unknown =>
  JSON.parse(
    execFileSync(shell, ["-c", `set -a; . "$0"; "$1" -e "$2"`, file, process.execPath, PRINT], {
      env: { PATH, TERM: undefined },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );

describe("the file of a partner", () => {
  it.skipIf(process.platform === "win32").each([
    ["Kassabolaget", "https://a.example/events"],
    ["  Bröd & Bar #1 ", "https://a.example/?a=$HOME&b=`id`"],
    [`The "Shop" $(id) \\n \\ !`, "https://a.example/events;id"],
    ["O'Hara #2 & sons | tee", "https://a.example/o'hara?a=b&c=~"],
    ["=~*[x]{a,b}<>", "https://a.example/"],
  ])("is read alike by node and by shells, with the name %s", async (name, webhookUrl) => {
    const onboarding = chosen({ name, merchantName: `${name} `, webhookUrl, terminals: 2 });
    await writeFile(file, onboardingText(onboarding, azure));
    const expected = {
      BASE_URL: "https://apim.azure-api.net",
      APIKEY: onboarding.apikey,
      MERCHANT_ID: onboarding.merchantId,
      TERMINAL_ID_1: onboarding.terminals[0]?.terminalId,
      TERMINAL_ID_2: onboarding.terminals[1]?.terminalId,
      WEBHOOK_SECRETS: onboarding.webhookSecret,
      TERMINALS_URL: "https://apim.azure-api.net/terminals",
      TERMINAL_KEY_1: onboarding.terminals[0]?.terminalKey,
      TERMINAL_KEY_2: onboarding.terminals[1]?.terminalKey,
      PARTNER_ID: onboarding.partnerId,
      PARTNER_NAME: name,
      MERCHANT_NAME: `${name} `,
      WEBHOOK_URL: webhookUrl,
      SCOPES: "payments,refunds",
      CLOUD: "the tables of http://127.0.0.1:1/none and the Service Bus 127.0.0.1",
    };
    expect(readByNode()).toEqual(expected);
    for (const shell of ["sh", "bash"]) expect(readBy(shell)).toEqual(expected);
    expect(parsedOnboarding(await readFile(file, "utf8"), file)).toEqual({ onboarding, cloud: expected.CLOUD });
  });

  it("has the names of the demo's settings for one terminal, and the subscription key of the stack", () => {
    const onboarding = chosen();
    const names = onboardingText(onboarding, local).match(/^[A-Z_\d]+(?==)/gm);
    const ofDemo = ["BASE_URL", "APIKEY", "SUBSCRIPTION_KEY", "MERCHANT_ID", "TERMINAL_ID", "WEBHOOK_SECRETS"];
    expect(names).toEqual(expect.arrayContaining([...ofDemo, "TERMINALS_URL", "TERMINAL_KEY"]));
    expect(onboardingText(onboarding, azure)).toMatch(/^# and shown by: az rest --method post .*listSecrets/m);
  });

  it("is refused if no quotes hold a value for both readers", () => {
    expect(() => onboardingText(chosen({ name: `O'Hara "&" sons` }), local)).toThrow(/^PARTNER_NAME cannot be written/);
    expect(() => onboardingText(chosen({ webhookUrl: "https://a.example/\n" }), local)).toThrow(/^WEBHOOK_URL cannot/);
  });
});

const words = ["partner", "onboard", "--name", "Kassabolaget", "--out"];
/** Runs the command. The tables do not respond, so an error about anything else came before any call. */
async function failure(more: readonly string[] = [], cloud = local): Promise<string> {
  const world: World = { findCloud: async () => cloud, note: () => {} };
  return perform([...words, file, ...more], world).then(
    () => "none",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe("a repeated command", () => {
  const written = (text = onboardingText(chosen(), local)) => writeFile(file, text, { mode: 0o600 });

  it.each([
    [["--terminals", "2"], "was made with --terminals 1."],
    [["--merchant-name", "Café"], "was made with no --merchant-name."],
    [["--webhook-url", "https://a.example/"], "was made with no --webhook-url."],
    [["--scopes", "payments"], "was made with --scopes payments,refunds."],
  ])("with other words than those of the file is refused: %j", async (more, message) => {
    await written();
    expect(await failure(more)).toContain(message);
  });

  it("with another name, or for another cloud, is refused", async () => {
    await written(onboardingText(chosen({ name: "Other" }), local));
    expect(await failure()).toContain("was made with --name Other.");
    await written();
    expect(await failure([], { ...local, tables: "AccountName=b" })).toContain(
      "is for another cloud: the tables of http://127.0.0.1:1/none",
    );
  });

  it.skipIf(process.platform === "win32")("with a file that others may read is refused", async () => {
    await written();
    for (const mode of [0o640, 0o604, 0o620]) {
      await chmod(file, mode);
      expect(await failure()).toContain("Other users may read");
    }
  });

  it("with a file that was cut at any place is refused", async () => {
    const text = onboardingText(chosen(), local);
    for (let length = text.length - 2; length >= 0; length -= 1 + Math.floor(length / 20)) {
      await written(text);
      await truncate(file, length);
      expect(await failure()).toMatch(/is cut off\. .* remove the file/);
    }
  });

  it.each([
    ["of another program", () => "BASE_URL=http://127.0.0.1:7071\n", "was not written by this command"],
    ["with a wrong key", (text: string) => text.replace(/^APIKEY=.*$/m, "APIKEY=pk_secret"), "changed: APIKEY cannot"],
    ["without a terminal", (text: string) => text.replace(/^TERMINAL_ID=.*$/m, ""), "changed: its terminals cannot"],
    [
      "with another terminal's key",
      (text: string) => text.replace(/^TERMINAL_ID=.*$/m, `TERMINAL_ID=${newId()}`),
      "changed: its terminals cannot",
    ],
  ])("with a file %s is refused, and no value is shown", async (_, change, message) => {
    await written(change(onboardingText(chosen(), local)));
    const said = await failure();
    expect(said).toContain(message);
    expect(said).not.toContain("pk_");
  });

  it("with a folder is refused", async () => {
    await rm(file, { force: true });
    const world: World = { findCloud: async () => local, note: () => {} };
    await expect(perform([...words, folder], world)).rejects.toThrow("is not a file");
  });

  it("may read a file with more lines", () => {
    const onboarding = chosen();
    const text = `${onboardingText(onboarding, azure)}SUBSCRIPTION_KEY=added\n`;
    expect(parsedOnboarding(text, file).onboarding).toEqual(onboarding);
  });
});

describe("a new file", () => {
  it("is complete before the tables are called, and only its owner may read it", async () => {
    const notes: string[] = [];
    const trail = () => Promise.reject(new Error("power cut at the first call"));
    const world: World = { findCloud: async () => local, note: (line) => void notes.push(line), trail };
    await expect(perform([...words, file, "--yes", "--terminals", "3"], world)).rejects.toThrow("power cut");
    const text = await readFile(file, "utf8");
    expect(parsedOnboarding(text, file).onboarding.terminals).toHaveLength(3);
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(notes.join("\n")).toMatch(/for the merchant .*: Terminal 1, Terminal 2, Terminal 3$/m);
    expect(notes.at(-1)).toMatch(/^Run the same command again/);
    expect(notes.join("\n")).not.toMatch(/[pt]k_|whsec_/);
  });

  it.each([
    [[], "use --yes"],
    [["--terminals", "101"], "--terminals takes 1 to 100."],
    [["--webhook-url", "http://a.example/"], /^--webhook-url /],
    [["--scopes", "cash"], /^--scopes is one of /],
  ])("is not written if the command is refused or not confirmed: %j", async (more, message) => {
    expect(await failure(more, azure)).toMatch(message);
    expect(await readdir(folder)).toEqual([]);
  });
});
