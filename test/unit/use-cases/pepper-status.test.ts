import { expect, it } from "vitest";
import { pepperStatus } from "../../../shared/use-cases/operator/onboarding/pepper-status.ts";
import { aPlatform, aTerminal, partnerId, terminalId } from "../../support/platform.ts";

it("counts what each pepper is needed for: no expired key, and a terminal's former key until it expires", async () => {
  const { deps } = await aPlatform();
  const now = deps.clock.now();
  const past = "2026-11-20T10:00:00.000Z";
  const key = { partnerId, hash: "00", scopes: [], createdAt: now, updatedAt: now };
  await deps.partners.saveKey({ ...key, keyId: "k1", pepperId: "new" }, undefined);
  await deps.partners.saveKey({ ...key, keyId: "k2", pepperId: "old" }, undefined);
  await deps.partners.saveKey({ ...key, keyId: "k3", pepperId: "old", isDisabled: true }, undefined);
  await deps.partners.saveKey({ ...key, keyId: "k4", pepperId: "old", revokedAt: past }, undefined);
  await deps.partners.saveKey({ ...key, keyId: "k5", pepperId: "old", expiresAt: past }, undefined);
  await deps.partners.saveKey({ ...key, keyId: "k6", pepperId: "gone" }, undefined);
  const read = await deps.terminals.find(terminalId);
  const formerKey = { keyHash: "00", pepperId: "old", endsAt: "2026-11-22T10:00:00.000Z" };
  await deps.terminals.save(aTerminal({ pepperId: "new", formerKey }), read?.etag);

  const counted = [
    { pepperId: "new", keys: 1, terminals: 1 },
    { pepperId: "old", keys: 2, terminals: 1 },
    { pepperId: "spare", keys: 0, terminals: 0 },
    { pepperId: "gone", keys: 1, terminals: 0 },
  ];
  expect(await pepperStatus(deps, ["new", "old", "spare"], now)).toEqual(counted);
  const later = "2026-11-23T10:00:00.000Z";
  expect((await pepperStatus(deps, ["old"], later))[0]).toEqual({ pepperId: "old", keys: 2, terminals: 0 });
});
