import type { Timings } from "../domain/timings.ts";
import type { Announcements } from "../ports/announcements.ts";
import type { BareAlerts } from "../ports/bare-alerts.ts";
import type { Bells } from "../ports/bells.ts";
import type { Clock, NewId } from "../ports/clock.ts";
import type { Codes } from "../ports/codes.ts";
import type { Log } from "../ports/log.ts";
import type { Mails } from "../ports/mails.ts";
import type { RawMessages } from "../ports/raw-messages.ts";
import type { Webhooks } from "../ports/webhooks.ts";
import type { TablePorts } from "../stores/stores.ts";

/** The dependencies that use cases may need, by name. The composition root provides all of them. */
interface World extends TablePorts {
  readonly announcements: Announcements;
  readonly bareAlerts: BareAlerts;
  readonly bells: Bells;
  readonly clock: Clock;
  readonly codes: Codes;
  readonly log: Log;
  readonly mails: Mails;
  readonly newId: NewId;
  readonly rawMessages: RawMessages;
  readonly timings: Timings;
  readonly webhooks: Webhooks;
}

/** The named dependencies: `Needs<"payments" | "inboxes">`. */
export type Needs<Name extends keyof World> = Pick<World, Name>;
