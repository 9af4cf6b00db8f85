import { describe, expect, it } from "vitest";
import { alertKinds } from "../../../shared/domain/alert-kinds.ts";
import { rehearsalPage } from "../../rehearsal/page/page.ts";
import { stepsTo } from "../../rehearsal/page/scale.ts";
import { verdictOf } from "../../rehearsal/page/verdict.ts";
import { troubleWords } from "../../rehearsal/page/words.ts";
import { rehearsalRecord, type Rehearsal } from "../../rehearsal/record.ts";
import { troubleNames } from "../../rehearsal/trouble-names.ts";
import { aPhase, aRehearsal, aTrouble } from "./a-rehearsal.ts";

/** What a reader of the page sees: no tags, and one space where there are several. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&amp;", "&");
const shown = (more: Partial<Rehearsal> = {}): string => textOf(rehearsalPage({ ...aRehearsal, ...more }));

type Day = Rehearsal["closings"]["days"][number];

describe("the page of a rehearsal", () => {
  it("says first that the promises were kept, how many payments there were, and that books and cards agree", () => {
    const page = shown();
    expect(page).toMatch(
      /^ Rehearsal: No payment was lost.* Rehearsal of November 23, 2026 No payment was lost, doubled or guessed\. /,
    );
    expect(page).toContain("4 card terminals took 60 payments in 60 seconds, while one thing went wrong on purpose.");
    expect(page).toContain("Books and cards agree: the shops have SEK 4,960.50 by both.");
    expect(page).toContain("kept 4,960.50 4,960.50 0.00");
    expect(page).toContain("npm run rehearse -- --minutes 1 --terminals 4 --seed 17 --trouble kill");
  });

  it("loads nothing, runs nothing, and forbids both", () => {
    const page = rehearsalPage(aRehearsal);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\bon\w+="|\bhref="(?!#)|url\(|https?:\/\//);
  });

  it("has a broken promise in red, right below the verdict, and claims none of the others", () => {
    const sentence = "never delivered: evt_1 (s1, captured)";
    const page = rehearsalPage({ ...aRehearsal, broken: [sentence, "acknowledged and absent: s2"] });
    expect(page).toMatch(/<header class="verdict is-broken">[\s\S]*2 promises were broken\.[\s\S]*<ul class="broken">/);
    const text = textOf(page);
    expect(text.indexOf(sentence)).toBeLessThan(text.indexOf("card terminals took"));
    expect(text).not.toContain("No payment was lost");
    expect(text).not.toContain("each of these held");
    expect(text).not.toContain("No repetition charged a card again");
    expect(page).not.toContain("promises is-kept");
  });

  it("says why a run proves nothing", () => {
    const page = shown({ unproven: "No payment was made." });
    expect(page).toContain("This run proves nothing. No payment was made.");
    expect(page).not.toContain("each of these held");
  });

  it("shows payments of which books and cards differ: with the reason that is known, or with an alarm", () => {
    const differing = { sessionID: "s-17", inBooks: 10_000, onCards: 0 };
    const explained = { why: "an open alert names it (tooManyCharges)", payments: 2, inBooks: 100, onCards: 300 };
    const money = {
      ...(aRehearsal.money as NonNullable<Rehearsal["money"]>),
      explained: [explained],
      unexplained: [differing],
    };
    const page = rehearsalPage({ ...aRehearsal, broken: ["a charge"], money });
    expect(textOf(page)).toContain("an open alert names it (tooManyCharges) 2 -2.00");
    expect(textOf(page)).toContain("In 1 payment the two differ, and nothing names a reason.");
    expect(page).toMatch(/class="alarm"[\s\S]*s-17/);
  });

  it("shows the days that differ, and leaves the closings out where no day was closed", () => {
    const [one, other] = aRehearsal.closings.days as [Day, Day];
    const wrong: Day = { ...other, status: "differs", byTerminal: 1_000 };
    const differing = textOf(rehearsalPage({ ...aRehearsal, closings: { currency: "SEK", days: [one, wrong] } }));
    expect(differing).toContain("1 day was closed.");
    expect(differing).toContain("no. 2, 2026-11-22 10.00 0.00 10.00");
    const equal = textOf(rehearsalPage(aRehearsal));
    expect(equal).toContain("2 days were closed.");
    expect(equal).not.toContain("terminal and books differ");
    const empty = rehearsalPage({ ...aRehearsal, closings: { currency: "SEK", days: [] } });
    expect(textOf(empty)).not.toContain("terminals’ days");
  });

  it("leaves the money out where the payments had not come to their end", () => {
    const { money: _, ...rest } = aRehearsal;
    const page = textOf(
      rehearsalPage({ ...rest, isEndedEarly: true, quietAfter: null, unproven: "It was ended early." }),
    );
    expect(page).not.toContain("Books against cards");
    expect(page).toContain("It was ended early.");
  });

  it("has no payment where a phase has none, and no number that is none", () => {
    const none = { payments: 0, repeats: 0, untilAcknowledged: null, untilOutcome: null };
    const page = rehearsalPage({ ...aRehearsal, troubles: [{ ...aTrouble, before: none, during: none, after: none }] });
    expect(textOf(page)).toContain("before 0 no payment");
    const empty = {
      ...aRehearsal,
      troubles: [],
      over: { seconds: 1, parts: [{ payments: 0, longestWait: 0 }] },
      states: {},
    };
    for (const one of [page, rehearsalPage(empty)]) expect(one).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it("shows a text of the record as text, wherever it stands", () => {
    const evil = `<img src=x onerror="alert(1)">&`;
    const page = rehearsalPage({
      ...aRehearsal,
      broken: [evil],
      unproven: evil,
      app: { version: evil, beside: evil, node: evil },
      troubles: [{ ...aTrouble, events: [{ at: 1, what: evil }] }],
      alerts: [{ kind: "outcomeUnknown", at: 3, status: "open", subject: evil, about: evil }],
      closings: {
        currency: "SEK",
        days: [{ terminal: evil, day: evil, status: "differs", byTerminal: 1, inBooks: 2 }],
      },
      states: { [evil]: 1 },
      figures: { [evil]: 1 },
    });
    expect(page).not.toContain("<img");
    expect(page).not.toContain(`"alert(`);
    expect(page.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;").length).toBeGreaterThan(8);
  });

  it("says what each call for a person means, how often there was one, and what it named", () => {
    const called = { kind: "reversalFailed", at: 21, status: "closed", subject: "s-1", about: "c-1" } as const;
    const page = shown({ alerts: [called, { ...called, status: "open", subject: "s-2" }] });
    expect(page).toContain("Reversal failed 2 times, 1 open");
    expect(page).toContain(alertKinds.reversalFailed.means);
    expect(page).toContain("0:21 s-1 , c-1 closed");
  });

  it("gives each picture a title and a description of its own, and each table the headings of its columns", () => {
    const page = rehearsalPage({ ...aRehearsal, troubles: troubleNames.map((name) => ({ ...aTrouble, name })) });
    const labels = [...page.matchAll(/role="img"\s+aria-labelledby="([^"]+)"/g)].flatMap(([, ids = ""]) =>
      ids.split(" "),
    );
    expect(labels).toHaveLength(2 * (2 + troubleNames.length));
    expect(new Set(labels).size).toBe(labels.length);
    for (const id of labels) expect(page.split(`id="${id}"`)).toHaveLength(2);
    for (const name of troubleNames) expect(page).toContain(troubleWords[name].title);
    const tables = page.split("<table").slice(1);
    expect(tables.filter((one) => !one.includes("<caption") || !one.includes('scope="col"'))).toEqual([]);
  });

  it("draws each trouble where it was, and each bar as high as its value", () => {
    const [wide = ""] = rehearsalPage({ ...aRehearsal, troubles: [{ ...aTrouble, from: 2, to: 5 }] }).split(
      'class="narrow-only"',
    );
    const [, left, width] = /<g class="trouble">[\s\S]*?<rect x="([\d.]+)"[^>]* width="([\d.]+)"/.exec(wide) ?? [];
    const day = 860 - 46 - 10; // the picture's width between its margins, for 6 seconds
    expect(Number(left)).toBeCloseTo(46 + (2 / 6) * day, 0);
    expect(Number(width)).toBeCloseTo((3 / 6) * day, 0);
    const [, payments = ""] = /<g class="payments">([\s\S]*?)<\/g>/.exec(wide) ?? [];
    const heights = [...payments.matchAll(/<rect[^>]*\sheight="([\d.]+)"/g)].map(([, height]) => Number(height));
    expect(heights).toHaveLength(2); // nothing is drawn for a part without a payment
    expect(heights[0]).toBeCloseTo(2 * (heights[1] ?? 0), 0);
  });
});

it.each([
  [{ broken: ["x"] }, "broken", "1 promise was broken."],
  [{ broken: ["x"], unproven: "y" }, "broken", "1 promise was broken."],
  [{ unproven: "y" }, "unproven", "This run proves nothing."],
  [{}, "kept", "No payment was lost, doubled or guessed."],
])("the verdict of %j is that it is %s", (more, kind, headline) => {
  expect(verdictOf({ ...aRehearsal, ...more })).toEqual({ kind, headline });
});

it.each([
  [9, 4, [0, 2.5, 5, 7.5, 10]],
  [8, 4, [0, 2, 4, 6, 8]],
  [0, 4, [0]],
  [12_300, 3, [0, 5_000, 10_000, 15_000]],
])("a scale up to %d has at most %d round steps", (highest, most, steps) => {
  const found = stepsTo(highest, most);
  expect(found.slice(0, steps.length)).toEqual(steps);
  expect(found.length).toBeLessThanOrEqual(most + 1);
});

describe("the data of a rehearsal", () => {
  it("are read back as they were written", () => {
    expect(rehearsalRecord.parse(JSON.parse(JSON.stringify(aRehearsal)))).toEqual(aRehearsal);
  });

  it.each([
    ["another version", { version: 2 }],
    ["a trouble that is none", { troubles: [{ ...aTrouble, name: "rain" }] }],
    ["a negative count", { troubles: [{ ...aTrouble, before: { ...aPhase, payments: -1 } }] }],
    ["an amount with decimals", { money: { ...aRehearsal.money, books: { captured: 0.5, refunded: 0, kept: 0 } } }],
  ])("are refused with %s", (_, wrong) => {
    expect(rehearsalRecord.safeParse({ ...aRehearsal, ...wrong }).success).toBe(false);
  });
});
