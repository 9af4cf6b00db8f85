import type { Day, Instant } from "../domain/time.ts";
import type { RequestKey } from "../ports/subjects.ts";
import { part } from "./keys.ts";

// The keys of landing pages, vouchers and keys, and templates.

export const landingPagePartition = (landingPageId: string): string => part(landingPageId);
export const PAGE_ROW = "page";
/** The names of all pages. No page has the name of this partition, because a name never holds `~`. */
export const LANDING_PAGES_PARTITION = "pages~all";
export const LISTED_PAGE_PREFIX = "page~";
export const listedPageRow = (landingPageId: string): string => `${LISTED_PAGE_PREFIX}${part(landingPageId)}`;
export const TOKEN_REQUEST_PREFIX = "request~";
/** The time is counted backwards, so that the newest request comes first. */
export const tokenRequestRow = ({ createdAt, requestId }: RequestKey): string =>
  `${tokenRequestsAt(createdAt)}${part(requestId)}`;
/** The requests of one millisecond. */
export const tokenRequestsAt = (createdAt: Instant): string =>
  `${TOKEN_REQUEST_PREFIX}${String(LAST_MOMENT_MS - Date.parse(createdAt)).padStart(15, "0")}~`;
const LAST_MOMENT_MS = Date.parse("9999-12-31T23:59:59.999Z");
export const sameRequestRow = (button: number, addressKey: string): string => `same~${button}~${part(addressKey)}`;

export const accessTokenPartition = (tokenId: string): string => part(tokenId);
export const ACCESS_TOKEN_ROW = "token";
export const codePartition = (codeHash: string): string => `code~${part(codeHash)}`;
export const CODE_ROW = "code";
export const addressPartition = (addressKey: string): string => `address~${part(addressKey)}`;
/** The tokens that were recently issued to a mailbox or a domain. */
export const countPartition = (countKey: string): string => `count~${part(countKey)}`;
export const COUNT_ROW = "issued";
/** The requests from one address on all pages, so that they are found by the address alone. */
export const ADDRESS_REQUEST_PREFIX = "request~";
export const addressRequestRow = ({ landingPageId, createdAt, requestId }: RequestKey): string =>
  `${ADDRESS_REQUEST_PREFIX}${part(landingPageId)}~${part(createdAt)}~${part(requestId)}`;
/** The days on which each of the platform's keys made a code. */
export const CODE_KEYS_PARTITION = "codekeys";
export const CODE_KEY_PREFIX = "codekey~";
export const codeKeyDayRow = (codeKeyId: string, day: Day): string =>
  `${CODE_KEY_PREFIX}${part(codeKeyId)}~${part(day)}`;
/** The days to which an operator extended tokens of each key. They are in the same partition. */
export const CODE_EXTENSION_PREFIX = "extended~";
export const codeExtensionRow = (codeKeyId: string, until: Day): string =>
  `${CODE_EXTENSION_PREFIX}${part(codeKeyId)}~${part(until)}`;

/** One partition: the operator lists all templates, and they are few. */
export const TEMPLATES_PARTITION = "templates";
export const TEMPLATE_PREFIX = "template~";
/** The look of a template's mails. It has its own row, since only a mail needs it. With a logo it has fifty times the template's size. */
export const templateLookRow = (templateId: string): string => `look~${part(templateId)}`;
/** The record of a template's failed mails. */
export const mailTroubleRow = (templateId: string): string => `mailing~${part(templateId)}`;
/** A template's limits, and the shards of its places. They have their own partition, since each token writes it. */
export const issuancePartition = (templateId: string): string => `issuance~${part(templateId)}`;
export const ISSUANCE_ROW = "issuance";
export const ISSUANCE_SHARD_PREFIX = "shard~";
export const issuanceShardRow = (shard: number): string => `${ISSUANCE_SHARD_PREFIX}${shard}`;
export const templateRow = (templateId: string): string => `${TEMPLATE_PREFIX}${part(templateId)}`;
