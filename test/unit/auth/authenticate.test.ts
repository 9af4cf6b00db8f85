import { expect, it } from "vitest";
import { terminal } from "../../../shared/edge/auth/authenticate.ts";
import { hashKey } from "../../../shared/edge/auth/credentials.ts";
import { after } from "../../../shared/domain/time.ts";
import { aPlatform, aTerminal, partnerId, terminalId } from "../../support/platform.ts";
import { noAuthWork } from "../../support/auth-deps.ts";

const peppers = { own: "pepper" };

/** The response to a terminal that shows this key. */
async function shown(key: string) {
  const { deps } = await aPlatform();
  const other = "abcdef00-0000-4000-8000-00000000000a";
  const keyHash = hashKey("secret", "pepper", { keyId: other, partnerId });
  await deps.terminals.save(aTerminal({ terminalId: other, keyHash, pepperId: "own" }), undefined);
  const request = { headers: new Headers({ "x-terminal-key": key }) };
  return (await terminal.authenticate(request as never, { ...deps, peppers, ...noAuthWork })).ok;
}

it("a terminal's key is accepted in one form only, by which its calls are counted", async () => {
  expect(await shown("tk_abcdef0000004000800000000000000a_secret")).toBe(true);
  for (const key of [
    "tk_ABCDEF0000004000800000000000000a_secret",
    "tk_abcdef00-0000-4000-8000-00000000000a_secret",
    "tk_abcdef00-00004000800000000000000a_secret",
    "TK_abcdef0000004000800000000000000a_secret",
    "tk_abcdef0000004000800000000000000a_Secret",
  ])
    expect(await shown(key)).toBe(false);
});

it("the former key of a terminal is accepted together with the new one until it expires, and is not hashed again", async () => {
  const { deps } = await aPlatform();
  const owner = { keyId: terminalId, partnerId };
  const [keyHash, former] = [hashKey("new", "pepper", owner), hashKey("old", "an older pepper", owner)];
  const endsAt = after(deps.clock.now(), 60);
  const formerKey = { keyHash: former, pepperId: "older", endsAt };
  const known = await deps.terminals.find(terminalId);
  await deps.terminals.save(aTerminal({ keyHash, pepperId: "own", formerKey }), known?.etag);
  const rehashed: string[] = [];
  const rehashKey = ({ secret }: { readonly secret: string }) => void rehashed.push(secret);
  const auth = { ...deps, peppers: { own: "pepper", older: "an older pepper" }, ...noAuthWork, rehashKey };
  const isAccepted = async (secret: string) => {
    const headers = new Headers({ "x-terminal-key": `tk_${terminalId.replaceAll("-", "")}_${secret}` });
    return (await terminal.authenticate({ headers } as never, auth)).ok;
  };
  expect([await isAccepted("new"), await isAccepted("old"), await isAccepted("other")]).toEqual([true, true, false]);
  await deps.clock.sleep(60_000);
  expect([await isAccepted("new"), await isAccepted("old")]).toEqual([true, false]);
  expect(rehashed).toEqual(["new", "new"]);
});
