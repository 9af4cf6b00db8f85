import type { AccessTokenTemplate } from "../domain/access-token-template.ts";

export interface AccessTokenTemplates {
  find(templateId: string): Promise<AccessTokenTemplate | undefined>;
  /** All of them, for the operator. */
  list(): Promise<AccessTokenTemplate[]>;
  /** Templates are not changed. Throws `Conflict` when there is one under this identifier. */
  add(template: AccessTokenTemplate): Promise<void>;
}
