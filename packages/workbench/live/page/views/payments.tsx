import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PaymentView } from "../../views/payments.ts";
import { LongList } from "../long-list.tsx";
import { Empty, Title } from "../parts.tsx";
import { linkTo } from "../routes.ts";
import { useLive } from "../store.ts";
import { counted } from "../text.ts";
import { goInstead, useRoute } from "../use-route.ts";
import { ChosenPayment } from "./payments/chosen.tsx";
import { PaymentFilterBar } from "./payments/filter-bar.tsx";
import { filterOf, matches, queryOf, type Filter } from "./payments/filter.ts";
import { PaymentRow } from "./payments/row.tsx";

/** Every payment, the newest first, with the chosen payment next to the list. */
export function Payments({ chosen }: { chosen: string | undefined }): JSX.Element {
  const payments = useLive((state) => state.payments);
  const { query } = useRoute();
  const { filter, narrow } = useFilter(query, chosen);
  const found = useMemo(() => payments?.filter((payment) => matches(payment, filter)) ?? [], [payments, filter]);
  const isNarrowed = queryOf(filter) !== "";
  const beside = useChosen(chosen, linkTo("payments", undefined, queryOf(filter)));
  return (
    <div class={chosen === undefined ? "chooser payments" : "chooser payments has-chosen"}>
      <Title
        aside={
          <span class="quiet number" role="status">
            {isNarrowed ? `${found.length} of ${payments?.length ?? 0}` : counted(found.length, "payment")}
          </span>
        }
      >
        Payments
      </Title>
      <div class="chooser-list stack">
        <PaymentFilterBar filter={filter} payments={payments ?? []} onNarrow={narrow} />
        <section class="panel">
          {found.length === 0 ? (
            <NoPayments isConnected={payments !== undefined} isNarrowed={isNarrowed} />
          ) : (
            <LongList
              key={queryOf(filter)}
              label="Payments"
              noun="payment"
              items={found}
              chosen={chosen}
              link={({ id }) => linkTo("payments", id, queryOf(filter))}
              row={rowOf}
            />
          )}
        </section>
      </div>
      {beside}
    </div>
  );
}

/** The chosen payment is rendered again only for its own changes, not for each event of the list. */
const useChosen = (chosen: string | undefined, back: string): JSX.Element | undefined =>
  useMemo(
    () => (chosen === undefined ? undefined : <ChosenPayment key={chosen} id={chosen} back={back} />),
    [chosen, back],
  );

const rowOf = (payment: PaymentView): JSX.Element => <PaymentRow payment={payment} />;

/** The longest pause between two letters before the text is copied to the address. */
const TYPING_MS = 250;

/** The filter is in the address. Typed text applies before the address has it. */
function useFilter(query: string, chosen: string | undefined) {
  const [typed, setTyped] = useState<Filter>();
  const filter = useMemo(() => typed ?? filterOf(query), [typed, query]);
  useEffect(() => {
    if (!typed) return;
    const timer = setTimeout(() => {
      goInstead(linkTo("payments", chosen, queryOf(typed)));
      setTyped(undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { filter, narrow: setTyped };
}

function NoPayments({ isConnected, isNarrowed }: { isConnected: boolean; isNarrowed: boolean }): JSX.Element {
  if (!isConnected) return <Empty>Connecting to the platform…</Empty>;
  if (isNarrowed)
    return (
      <Empty>
        No payment matches. <a href={linkTo("payments")}>Show all payments</a>
      </Empty>
    );
  return (
    <Empty>
      Every payment is shown here as soon as it is requested. <a href={linkTo("counter")}>Request one at the counter</a>
    </Empty>
  );
}
