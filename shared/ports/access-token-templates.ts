import type { AccessTokenTemplate } from "../domain/access-token-template.ts";

export interface AccessTokenTemplates {
  find(templateId: string): Promise<AccessTokenTemplate | undefined>;
  /** Every template, for the operator. */
  list(): Promise<AccessTokenTemplate[]>;
  /** A template never changes. Throws `Conflict` when a template with this identifier exists. */
  add(template: AccessTokenTemplate): Promise<void>;
}
