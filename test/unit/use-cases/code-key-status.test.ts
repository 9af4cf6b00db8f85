import { expect, it } from "vitest";
import { codeKeyStatus } from "../../../shared/use-cases/operator/vouchers/code-key-status.ts";
import { aTemplate, anIssuance } from "../../support/consumer.ts";
import { aPlatform } from "../../support/platform.ts";

it("a code key must stay until its last code has expired and its stored data was purged", async () => {
  const { deps } = await aPlatform();
  await deps.accessTokenTemplates.add(aTemplate({ validSeconds: 30 * 86_400 }), anIssuance());
  await deps.accessTokenTemplates.add(
    aTemplate({ templateId: "another", validSeconds: 86_400 }),
    anIssuance({ templateId: "another" }),
  );
  for (const day of ["2026-01-30", "2026-02-01", "2026-01-31", "2026-02-01"])
    await deps.codeKeyDays.note({ codeKeyId: "k1", day });
  await deps.codeKeyDays.note({ codeKeyId: "k0", day: "2025-01-01" });
  expect(await codeKeyStatus(deps, ["k2", "k1"])).toEqual([
    { codeKeyId: "k0", lastUsedOn: "2025-01-01", codesEndOn: "2025-02-01", neededUntil: "2026-03-05" },
    { codeKeyId: "k1", lastUsedOn: "2026-02-01", codesEndOn: "2026-03-04", neededUntil: "2027-04-05" },
    { codeKeyId: "k2", lastUsedOn: undefined, codesEndOn: undefined, neededUntil: undefined },
  ]);
});
