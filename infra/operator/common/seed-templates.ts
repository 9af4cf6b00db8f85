import { newIssuance } from "../../../shared/domain/issuance.ts";
import { tablePorts } from "../../../shared/stores/stores.ts";
import { azureTables, type TablesAccount } from "../../../shared/adapters/tables/azure-tables.ts";
import { ignoreConflict } from "./ignore-conflict.ts";

/** The consumer user whose pages request tokens of these templates. */
export const DEMO_USER = "demo";

interface TemplateIds {
  /** The template of vouchers worth 50 SEK, valid for thirty days. */
  readonly templateAccessTokenID: string;
  /** The template of keys that open the gate for a day. If it is left out, no such template is created. */
  readonly keyTemplateAccessTokenID?: string;
}

/** Creates the templates of a demo or of black-box tests, unless they exist. */
export async function seedTemplates(
  account: TablesAccount,
  { templateAccessTokenID, keyTemplateAccessTokenID }: TemplateIds,
): Promise<void> {
  const { accessTokenTemplates } = tablePorts(azureTables(account));
  const createdAt = new Date().toISOString();
  const common = { locale: "en-SE", timeZone: "Europe/Stockholm", createdAt };
  const limits = { mostADay: 10_000, mostInAll: 1_000_000, mostPerDomain: 2_000 };
  const issuanceOf = (templateId: string) =>
    newIssuance({ templateId, ...limits, pages: "requests", users: [DEMO_USER] }, createdAt);
  await ignoreConflict(
    accessTokenTemplates.add(
      {
        ...common,
        templateId: templateAccessTokenID,
        name: "Demo Kiosk",
        kind: "voucher",
        value: { kind: "amount", amount: 5_000, currency: "SEK" },
        validSeconds: 30 * 86_400,
      },
      issuanceOf(templateAccessTokenID),
    ),
  );
  if (keyTemplateAccessTokenID === undefined) return;
  await ignoreConflict(
    accessTokenTemplates.add(
      { ...common, templateId: keyTemplateAccessTokenID, name: "Demo Gate", kind: "key", validSeconds: 86_400 },
      issuanceOf(keyTemplateAccessTokenID),
    ),
  );
}
