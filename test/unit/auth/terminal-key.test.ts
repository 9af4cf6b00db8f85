import { expect, it } from "vitest";
import { terminal } from "../../../shared/auth/authenticate.ts";
import { hashSecret } from "../../../shared/auth/credentials.ts";
import { aPlatform, aTerminal } from "../../support/platform.ts";

const peppers = { own: "pepper" };

/** What a terminal is answered that shows this key. */
async function shown(key: string) {
  const { deps } = await aPlatform();
  const keyHash = hashSecret("secret", "pepper");
  await deps.terminals.save(
    aTerminal({ terminalId: "abcdef00-0000-4000-8000-00000000000a", keyHash, pepperId: "own" }),
    undefined,
  );
  const request = { headers: new Headers({ "x-terminal-key": key }) };
  return (await terminal.authenticate(request as never, { ...deps, peppers, rehashKey: () => {} } as never)).ok;
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
