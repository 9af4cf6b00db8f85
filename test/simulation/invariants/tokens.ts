import { gotNoToken, type TokenRequest } from "../../../shared/domain/landing-page.ts";
import { landingPagePartition } from "../../../shared/stores/token-keys.ts";
import type { Issuance } from "../../../shared/domain/issuance.ts";
import { issuances, type TokenAsk } from "../actors/customers.ts";
import { addressKey, MAIL_ATTEMPTS } from "../platform/mail-server.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { HOUR, msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** More than the requests of any world. */
const ALL = 1_000;
const MAX_TOKENS_AN_HOUR = 5;

/**
 * At the end each token request is mailed or failed, for a true reason. Its token was issued once, and never beyond an address's hourly
 * limit. The mail had that token and that address, and was sent at least once. The address is deleted.
 */
export async function checkTokens(
  world: World,
  asks: readonly TokenAsk[],
  { ports, stores, mailServer }: Platform,
  ending: Ending,
): Promise<void> {
  const pages = [...new Set(asks.map(({ input }) => input.landingPageId))];
  const requests = (await Promise.all(pages.map((page) => ports.landingPages.latest(page, ALL)))).flat();
  const known = new Set(requests.map(({ requestId }) => requestId));
  for (const lost of asks.flatMap(({ requestIds }) => [...requestIds]).filter((id) => !known.has(id)))
    world.violate("an accepted token request is missing", lost);
  for (const id of mailServer.received.keys()) if (!known.has(id)) world.violate("a mail without a request", id);
  for (const request of requests) {
    checkMail(world, request, mailServer);
    const isIssued = (await ports.accessTokens.find(request.tokenId)) !== undefined;
    // Two copies of one message may be an hour apart by their hosts' clocks. Then only one of them may find the hourly limit reached.
    const isFullForOne = isIssued && world.faultPlan.wrongestClock >= HOUR;
    if (isIssued === gotNoToken(request) && !isFullForOne)
      world.violate("a token request contradicts its token", `${request.requestId} ${request.status}`);
    if (ending === "quiet" && request.status !== "emailed" && request.status !== "emailFailed")
      world.violate("a token request never ends", request.requestId);
  }
  await checkCounts(world, requests, ports);
  for (const { templateId, mostInAll } of issuances)
    await checkTemplate(world, { templateId, mostInAll }, requests, ports);
  if (ending !== "quiet") return;
  for (const page of pages) {
    const rows = await stores.plain.landingPages.withPrefix(landingPagePartition(page), "");
    const kept = JSON.stringify(rows).toLowerCase();
    if (asks.some(({ input }) => kept.includes(input.email.toLowerCase())))
      world.violate("an address was not deleted", page);
  }
}

function checkMail(world: World, request: TokenRequest, { received }: Platform["mailServer"]): void {
  const { requestId, tokenId, status, statusReason } = request;
  const mail = received.get(requestId);
  if (mail && (mail.codes.size !== 1 || !mail.codes.has(tokenId)))
    world.violate("a wrong code was mailed", `${requestId}: ${[...mail.codes].join(" ")}`);
  if (mail && [...mail.addresses].some((address) => addressKey(address) !== request.addressKey))
    world.violate("a mail to a wrong address", requestId);
  const isTrue = {
    rateLimited: !mail,
    limitReached: !mail,
    templateStopped: false, // no operator stops a template
    addressRefused: (mail?.refused ?? 0) > 0,
    mailRefused: false, // this server refuses only addresses
    mailServerSilent: (mail?.attempts ?? 0) >= MAIL_ATTEMPTS,
    tokenRevoked: false,
  }[statusReason ?? "tokenRevoked"];
  if (status === "emailed" ? !mail?.accepted : status === "emailFailed" && !isTrue)
    world.violate("a token request contradicts its mails", `${requestId} ${status} ${statusReason ?? ""}`);
}

/** A template never exceeds its limit. It refuses a request for its limit only when all its places are taken. */
async function checkTemplate(
  world: World,
  { templateId, mostInAll }: Pick<Issuance, "templateId" | "mostInAll">,
  requests: readonly TokenRequest[],
  { accessTokens, accessTokenTemplates }: Platform["ports"],
): Promise<void> {
  const found = await Promise.all(requests.map(({ tokenId }) => accessTokens.find(tokenId)));
  const issued = found.filter((stored) => stored?.token.templateId === templateId).length;
  const taken = (await accessTokenTemplates.shards(templateId)).reduce((sum, { shard }) => sum + shard.taken, 0);
  if (issued > mostInAll || taken > mostInAll) world.violate("a template issued more than it may", templateId);
  if (issued > taken) world.violate("a token without a place", templateId);
  const isRefused = requests.some(({ statusReason }) => statusReason === "limitReached");
  if (isRefused) world.faultPlan.meet("a template's limit is reached");
}

/** One button and address get one token, and an address has an hourly limit. */
async function checkCounts(
  world: World,
  requests: readonly TokenRequest[],
  { accessTokens }: Platform["ports"],
): Promise<void> {
  const issued = requests.filter((request) => !gotNoToken(request));
  const same = Map.groupBy(
    issued,
    ({ landingPageId, button, addressKey }) => `${landingPageId} ${button} ${addressKey}`,
  );
  for (const [name, [, ...more]] of same)
    if (more.length > 0) world.violate("one button and address got two tokens", name);
  for (const [address, tokens] of Map.groupBy(
    issued,
    ({ addressKey, countKeys = [addressKey] }) => countKeys[0] ?? addressKey,
  )) {
    const times = (await accessTokens.issuedTo(address))?.issued.map(({ at }) => msAt(at)) ?? [];
    // A queue may be down for so long that, by differing clocks, tokens are issued an hour after the first ones.
    const surelySince = Math.max(...times) - HOUR + 2 * world.faultPlan.wrongestClock;
    const within = tokens.filter(({ createdAt }) => msAt(createdAt) > surelySince);
    if (within.length > MAX_TOKENS_AN_HOUR && world.faultPlan.wrongestClock < HOUR)
      world.violate("too many tokens for one address", `${address} ${within.length}`);
  }
}
