import type { MailTexts } from "../../../domain/mail-brand.ts";

/** The texts that only an operator can write. A mail leaves out a missing one. */
export type OperatorsOwn = "where" | "terms" | "help";
type Complete = { readonly [Name in keyof MailTexts]-?: NonNullable<MailTexts[Name]> };
export type Shipped = Omit<Complete, OperatorsOwn>;
type OfKind = "headline" | "subject" | "howToUseTitle" | "howToUse";

/** The platform's own texts in one language. Each is complete. None is built from parts, because other languages inflect them. */
export interface Words {
  readonly both: Omit<Shipped, OfKind | "value">;
  readonly voucher: Pick<Shipped, OfKind | "value">;
  readonly key: Pick<Shipped, OfKind>;
}
