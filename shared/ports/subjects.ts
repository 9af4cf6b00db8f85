import type { TokenRequest } from "../domain/landing-page.ts";

// What names the things of which commands are: where their rows stand.

export interface PaymentKey {
  readonly partnerId: string;
  readonly sessionId: string;
}

export interface ActionKey {
  readonly partnerId: string;
  readonly actionRequestId: string;
}

/** The page's requests stand by their age, so that the latest are read without the others. */
export type RequestKey = Pick<TokenRequest, "landingPageId" | "requestId" | "createdAt">;

/** Whose command it is: where its row stands beside the record that it changed. */
export type Subject =
  | ({ readonly kind: "payment" } & PaymentKey)
  | ({ readonly kind: "actionRequest" } & ActionKey)
  | ({ readonly kind: "tokenRequest" } & RequestKey);
