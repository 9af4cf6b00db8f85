import type { Subject } from "../../shared/ports/subjects.ts";
import type { Marks } from "../../shared/stores/marks.ts";
import { allActionPlaces, allPages, allTerminals, type PlacesDeps } from "../../shared/use-cases/operator/places.ts";

/** The open subjects of all places. A terminal's day is open until it is closed, whatever the state of its payments. */
export async function openSubjects(deps: PlacesDeps & { readonly marks: Marks }): Promise<Subject[]> {
  const places = await Promise.all([allTerminals(deps), allActionPlaces(deps), allPages(deps)]);
  const found = await Promise.all(places.flat().map((place) => deps.marks.open(place)));
  return found.flat().filter(({ kind }) => kind !== "terminalDay");
}
