import { daysBetween } from "../../../shared/domain/retention.ts";
import { after, dayOf } from "../../../shared/domain/time.ts";
import { enterCreatedOfDay } from "../../../shared/use-cases/repair/enter-created-of-day.ts";
import { clock, connectTables } from "../../operator/platform.ts";
import { UsageError } from "../../script.ts";
import { command } from "../command.ts";
import { day, required } from "../words.ts";

export const indexPayments = command({
  name: "index",
  does: "enters in their partners' lists (`GET /pos-payments`) the payments that changed on these days (UTC): once, for those of a release that had no such list",
  options: {
    from: required(day("the first day")),
    to: day("the last day; today where none is named"),
  },
  examples: ["payment index --from 2026-11-01", "payment index --from 2026-11-01 --to 2026-11-21"],
  writes: true,
  async run({ from, to = dayOf(clock.now()) }, { connect, note }) {
    if (to < from) throw new UsageError("--to is no earlier day than --from.");
    const ports = connectTables(await connect());
    let payments = 0;
    for (const day of daysBetween(from, dayOf(after(to, 24 * 3600)))) {
      const entered = await enterCreatedOfDay(ports, day);
      if (entered > 0) note(`${day}: ${entered}`);
      payments += entered;
    }
    return { from, to, payments };
  },
});
