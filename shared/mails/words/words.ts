import type { MailTexts } from "../../domain/mail-brand.ts";

/** What only an operator can say. A mail leaves it out where there is none. */
export type OperatorsOwn = "where" | "terms" | "help";
type Complete = { readonly [Name in keyof MailTexts]-?: NonNullable<MailTexts[Name]> };
export type Shipped = Omit<Complete, OperatorsOwn>;
type OfKind = "headline" | "subject" | "howToUseTitle" | "howToUse";

/** The platform's own texts in one language. Each is a whole: none is put together from parts, which other languages inflect. */
export interface Words {
  readonly both: Omit<Shipped, OfKind | "value">;
  readonly voucher: Pick<Shipped, OfKind | "value">;
  readonly key: Pick<Shipped, OfKind>;
}
