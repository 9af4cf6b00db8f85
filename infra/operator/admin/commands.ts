import type { Command, Group } from "./command.ts";
import { alert } from "./commands/alert.ts";
import { audit } from "./commands/audit.ts";
import { exportAll, importAll } from "./commands/backup.ts";
import { codeKey } from "./commands/code-key.ts";
import { consumer } from "./commands/consumer.ts";
import { deadLetter } from "./commands/dead-letter.ts";
import { e2eSettings } from "./commands/e2e-settings.ts";
import { erase } from "./commands/erase.ts";
import { key } from "./commands/key.ts";
import { landingPage } from "./commands/landing-page.ts";
import { merchant } from "./commands/merchant.ts";
import { partner } from "./commands/partner.ts";
import { payment } from "./commands/payment.ts";
import { pepper } from "./commands/pepper.ts";
import { purge } from "./commands/purge.ts";
import { repair } from "./commands/repair.ts";
import { settlement } from "./commands/settlement.ts";
import { setup } from "./commands/setup.ts";
import { template } from "./commands/template.ts";
import { terminal } from "./commands/terminal.ts";
import { token } from "./commands/token.ts";
import { webhookHost } from "./commands/webhook-host.ts";
import { webhookKey } from "./commands/webhook-key.ts";
import { webhookSecret } from "./commands/webhook-secret.ts";
import { webhook } from "./commands/webhook.ts";

/** Every command, under the headings of the help. */
export const sections: readonly { readonly heading: string; readonly entries: readonly (Command | Group)[] }[] = [
  {
    heading: "Set up",
    entries: [
      setup,
      partner,
      key,
      webhookSecret,
      webhookKey,
      webhookHost,
      terminal,
      merchant,
      pepper,
      audit,
      e2eSettings,
    ],
  },
  { heading: "Payments and alerts", entries: [alert, payment, settlement, webhook, deadLetter, repair] },
  { heading: "Vouchers and keys", entries: [template, landingPage, token, consumer, codeKey] },
  { heading: "Retention", entries: [purge, erase] },
  { heading: "Backup", entries: [exportAll, importAll] },
];
