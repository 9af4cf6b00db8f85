/** What the platform asks of a terminal. Amounts are integer minor units of `currency`. */
export type TerminalMessage =
  | {
      readonly type: "payment";
      readonly amount: number;
      readonly vat?: number | undefined;
      readonly currency: string;
      readonly captureMode: "manual" | "automatic";
      readonly merchantName?: string | undefined;
      readonly orderId?: string | undefined;
    }
  | { readonly type: "cancel" }
  /** How does the payment stand, or this refund of it? */
  | { readonly type: "statusQuery"; readonly refundId?: string | undefined }
  | { readonly type: "capture"; readonly amount: number; readonly currency: string }
  | { readonly type: "void"; readonly amount: number; readonly currency: string }
  | {
      readonly type: "refund";
      readonly refundId: string;
      readonly amount: number;
      readonly currency: string;
      readonly reason: string;
    }
  | {
      readonly type: "discount";
      readonly discountId: string;
      readonly amount: number;
      readonly newTotal: number;
      readonly newVat?: number | undefined;
      readonly currency: string;
    }
  | {
      readonly type: "actionAnswer";
      readonly actionRequestId: string;
      readonly responseCode: "accepted" | "declined" | "expired" | "cancelled";
    };

export type TerminalMessageType = TerminalMessage["type"];
