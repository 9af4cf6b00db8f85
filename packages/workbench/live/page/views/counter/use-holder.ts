import type { PaymentView } from "../../../views/payments.ts";
import { useConnection, useLive } from "../../store.ts";
import { holderOf } from "../../terminal-lamps.ts";

/** The payment that holds the terminal. Undefined while the stack does not respond, because it may have ended. */
export function useHolder(terminalId: string): PaymentView | undefined {
  const holder = useLive(({ payments }) => holderOf(payments, terminalId));
  return useConnection().isLive ? holder : undefined;
}
