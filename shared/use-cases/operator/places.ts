import type { Place } from "../../stores/marks.ts";
import type { LandingPages } from "../../stores/landing-pages.ts";
import type { Partners } from "../../stores/partners.ts";
import { eachOf } from "../each-of.ts";
import type { Needs } from "../needs.ts";

export interface TerminalPlacesDeps {
  readonly partners: Pick<Partners, "allTerminalIds" | "list">;
}
export interface PlacesDeps extends TerminalPlacesDeps {
  readonly landingPages: Pick<LandingPages, "list">;
}

export type DayPlace = Extract<Place, { readonly kind: "partnerDay" }>;
type TerminalPlace = Extract<Place, { readonly kind: "terminal" }>;

/** The terminals of a partner, also the retired ones. Makes one call. */
export const terminalsOf = async (
  { partners }: { readonly partners: Pick<Partners, "allTerminalIds"> },
  partnerId: string,
): Promise<TerminalPlace[]> =>
  (await partners.allTerminalIds(partnerId)).map((terminalId) => ({ kind: "terminal", partnerId, terminalId }));

/** The terminals of all partners, also the retired ones. Makes one call, and one for each partner. */
export async function allTerminals(deps: TerminalPlacesDeps): Promise<TerminalPlace[]> {
  const found = await eachOf(await deps.partners.list(), (partnerId) => terminalsOf(deps, partnerId));
  return found.flat();
}

/** The partitions of action requests. */
export const allActionPlaces = async ({ partners }: TerminalPlacesDeps): Promise<Place[]> =>
  (await partners.list()).map((partnerId) => ({ kind: "actionRequests", partnerId }));

/** The partitions of token requests. */
export const allPages = async ({ landingPages }: Pick<PlacesDeps, "landingPages">): Promise<Place[]> =>
  (await landingPages.list()).map((landingPageId) => ({ kind: "landingPage", landingPageId }));

/** The partners' days that are not closed, or whose closing is not carried out. */
export const openDays = async ({ partnerDays }: Needs<"partnerDays">): Promise<DayPlace[]> =>
  (await partnerDays.openDays()).map((key) => ({ kind: "partnerDay", ...key }));

/** Called after each thousand places of a walk, with the number of these that are done. */
export type OnProgress = (done: number, all: number) => void;

/** Acts on each place, sixteen at a time. Each act may read sixteen subjects at a time. Results are in the order of the places. */
export async function walk<P extends Place, Result>(
  places: readonly P[],
  act: (place: P) => Promise<Result>,
  onProgress: OnProgress = () => {},
): Promise<Result[]> {
  let done = 0;
  return eachOf(places, async (place) => {
    const result = await act(place);
    if (++done % PROGRESS_STEP === 0) onProgress(done, places.length);
    return result;
  });
}

/** The number of places after which a walk says how far it has come. */
export const PROGRESS_STEP = 1_000;
