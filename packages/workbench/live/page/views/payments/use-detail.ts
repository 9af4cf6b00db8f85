import { useEffect, useState } from "preact/hooks";
import type { PaymentDetail } from "../../../views/payments.ts";
import type { Snapshot } from "../../../views/snapshot.ts";
import { read } from "../../ask.ts";
import { useLive } from "../../store.ts";
import { wordsOf } from "../../words.ts";

/** How often a running payment is read again. Its spans arrive without a change of the payment. */
const AGAIN_MS = 1_000;
/** The same after a failure. */
const TROUBLED_MS = 5_000;
/** How long after its last change an ended payment is still read again, because webhooks follow the change. */
const FOLLOWED_MS = 20_000;

export interface Detail {
  readonly payment: PaymentDetail | undefined;
  readonly trouble: string | undefined;
}

/** The payment. It is read again at each of its events, and each second while more data may come. */
export function useDetail(id: string): Detail {
  const [detail, setDetail] = useState<Detail>({ payment: undefined, trouble: undefined });
  const events = useLive(eventsOf(id));
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      const next = document.hidden ? undefined : await loaded(id);
      if (isOver) return;
      if (next) setDetail((before) => (next.payment ? next : { ...next, payment: before.payment }));
      const again = pauseAfter(next);
      if (again !== undefined) timer = setTimeout(() => void load(), again);
    };
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, events]);
  return detail;
}

const loaded = (id: string): Promise<Detail> =>
  read<PaymentDetail>(`payments/${id.split("/").map(encodeURIComponent).join("/")}`).then(
    (payment) => ({ payment, trouble: undefined }),
    (error: unknown) => ({ payment: undefined, trouble: error instanceof Error ? error.message : String(error) }),
  );

/** Milliseconds until the payment is read again. Undefined if only an event can bring new data. `read` is undefined for a hidden page. */
function pauseAfter(read: Detail | undefined): number | undefined {
  if (read && !read.payment) return TROUBLED_MS;
  return !read?.payment || mayGrow(read.payment) ? AGAIN_MS : undefined;
}

const mayGrow = ({ status, updatedAt, lanes }: PaymentDetail): boolean =>
  !wordsOf(status).isFinal || Date.now() - updatedAt < FOLLOWED_MS || lanes.some(({ to }) => to === undefined);

/** A text that changes with each event of the payment. */
const eventsOf =
  (id: string) =>
  ({ payments, webhooks, calls, alerts }: Snapshot): string => {
    const payment = payments.find((one) => one.id === id);
    const session = id.slice(id.lastIndexOf("/") + 1);
    const count = (items: readonly { readonly sessionId?: string }[]) =>
      items.filter(({ sessionId }) => sessionId === session).length;
    return [payment?.sequence, payment?.updatedAt, count(webhooks), count(calls), count(alerts)].join("/");
  };
