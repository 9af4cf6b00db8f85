import { backup } from "./backup.ts";
import type { Bench } from "./bench.ts";
import { busOutage } from "./bus-outage.ts";
import { calls } from "./calls.ts";
import { cost } from "./cost.ts";
import { endlessUploads } from "./endless-uploads.ts";
import { feed } from "./feed.ts";
import { gatewayOverhead } from "./gateway-overhead.ts";
import { growth } from "./growth.ts";
import { hangingMails } from "./hanging-mails.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { idle } from "./idle.ts";
import { live } from "./live.ts";
import { loop } from "./loop.ts";
import { monthOfPayments } from "./month-of-payments.ts";
import { passwordGuesses } from "./password-guesses.ts";
import { profile } from "./profile.ts";
import { request } from "./request.ts";
import { ring } from "./ring.ts";
import { serviceBusSends } from "./service-bus-sends.ts";
import { settlement } from "./settlement.ts";
import { soak } from "./soak.ts";
import { store } from "./store.ts";
import { webhooks } from "./webhooks.ts";

/** Every benchmark, by the name on the command line. */
export const benches: Readonly<Record<string, Bench>> = {
  calls,
  ring,
  loop,
  request,
  growth,
  month: monthOfPayments,
  backup,
  feed,
  settlement,
  idle,
  store,
  soak,
  cost,
  profile,
  webhooks,
  "bus-outage": busOutage,
  "hanging-mails": hangingMails,
  "gateway-overhead": gatewayOverhead,
  "service-bus-sends": serviceBusSends,
  "hostile-bodies": hostileBodies,
  "endless-uploads": endlessUploads,
  live,
  "password-guesses": passwordGuesses,
};
