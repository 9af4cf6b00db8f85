import { NotDone } from "./ask.ts";

/** A request, and whether it was carried out. */
export interface Sending<Request> {
  readonly isSending: boolean;
  /** The request, while it is unknown whether it was carried out. */
  readonly kept: Request | undefined;
  /** Why the last attempt did not succeed, as a sentence. Empty if it succeeded, and while the request is sent. */
  readonly refusal: string;
}

/** Sends requests as a partner's server must: while the outcome is unknown, it sends the same request again, and no other. */
export interface Sender<Request> {
  state(): Sending<Request>;
  /** Sends the kept request, otherwise this one. Resolves with the request if it succeeded. */
  send(request: Request): Promise<Request | undefined>;
  /** Takes back the refusal of a request that was not carried out. Keeps the request and refusal of an unknown outcome. */
  clearRefusal(): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function newSender<Request>(sendOnce: (request: Request) => Promise<unknown>): Sender<Request> {
  let state: Sending<Request> = { isSending: false, kept: undefined, refusal: "" };
  const listeners = new Set<() => void>();
  const set = (next: Sending<Request>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    async send(fresh) {
      const { kept } = state;
      const request = kept ?? fresh;
      set({ isSending: true, kept, refusal: "" });
      try {
        await sendOnce(request);
        set({ isSending: false, kept: undefined, refusal: "" });
        return request;
      } catch (error) {
        const refusal = error instanceof Error ? error.message : String(error);
        set({ isSending: false, kept: isUnknown(error, kept) ? request : undefined, refusal });
        return undefined;
      }
    },
    clearRefusal() {
      if (state.refusal !== "" && !state.kept) set({ ...state, refusal: "" });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A 5xx and a missing response do not tell. A 429 rejects only this attempt, so an earlier one may still have been carried out. */
const isUnknown = (error: unknown, kept: unknown): boolean =>
  !(error instanceof NotDone) ||
  error.status >= 500 ||
  error.status === 0 ||
  (error.status === 429 && kept !== undefined);
