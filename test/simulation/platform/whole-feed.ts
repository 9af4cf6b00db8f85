import type { FeedEvent, Feeds } from "../../../shared/stores/feeds.ts";

/** More events than a partner of a world has. */
const MOST = 100_000;

/** A partner's feed as stored in the tables. */
export const wholeFeed = ({ feeds }: { readonly feeds: Feeds }, partnerId: string): Promise<FeedEvent[]> =>
  feeds.after(partnerId, 0, MOST);
