import type { SettlementPage } from "../../../../shared/contracts/objects/settlement.ts";
import { toSettlementDay } from "../../../../shared/contracts/objects/settlement-days.ts";
import { linesOfPage } from "../../../../shared/domain/booking.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { openTerminals } from "../../../../shared/use-cases/bookings/look-at-day.ts";
import { readSettlement } from "../../../../shared/use-cases/bookings/read-settlement.ts";
import { connectTables } from "../../common/platform.ts";
import { terminalNames } from "../terminal-names.ts";
import { command, type Group } from "../command.ts";
import { day, identifier, required } from "../words.ts";
import { findPartner } from "./partner.ts";
import { callFor, PARTNER } from "./terminal-words.ts";

const show = command({
  name: "show",
  does: "shows a partner's settlement of a business day: its status, its totals, and the terminals that keep it open",
  details: "The movements of an open day are read and counted. `payment list --day` shows payments.",
  words: [
    required("--partner <partnerID>", "the partner", identifier),
    required("--day <YYYY-MM-DD>", "the business day of the settlement", day),
  ],
  examples: [`settlement show ${PARTNER} --day 2026-11-21`],
  async run({ partner: partnerId, day }, { connect, note }) {
    const ports = connectTables(await connect());
    await findPartner(ports.partners, partnerId);
    const settlement = await lastPage(ports, partnerId, day);
    const { totals, ...shown } = toSettlementDay(settlement);
    const open = settlement.isClosed ? [] : await openTerminals(ports, { partnerId, day });
    const namesOf = await terminalNames(
      ports,
      open.map(({ terminalId }) => terminalId),
      note,
    );
    return {
      partnerID: partnerId,
      ...shown,
      movements: totals?.reduce((sum, { count }) => sum + count, 0),
      totals,
      ...(!settlement.isClosed && {
        openTerminals: open.map(({ terminalId }) => ({ pointOfServiceID: terminalId, ...namesOf(terminalId) })),
      }),
    };
  },
});

/** The first page that has the totals of all movements. */
async function lastPage(ports: TablePorts, partnerId: string, date: string): Promise<SettlementPage> {
  let after: string | undefined;
  for (;;) {
    const page = await readSettlement(ports, callFor({ partnerId }), { date }, { after, limit: linesOfPage.most });
    if (!page.ok) throw new Error(page.error.code);
    after = page.value.next;
    if (page.value.totals || after === undefined) return page.value;
  }
}

export const settlement: Group = {
  name: "settlement",
  does: "the settlements of partners' business days",
  commands: [show],
};
