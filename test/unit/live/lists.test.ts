import { describe, expect, it } from "vitest";
import { heldList } from "../../../infra/pages/live/page/held-list.ts";
import { linkTo, routeOf } from "../../../infra/pages/live/page/routes.ts";
import { filterOf, matches, queryOf, states } from "../../../infra/pages/live/page/views/payments/filter.ts";
import { scrolledTo, visibleRows } from "../../../infra/pages/live/page/visible-rows.ts";
import { paymentStates } from "../../../shared/domain/payment/record/payment.ts";
import { sampleSource } from "../../browser/sample-source.ts";

const { payments } = sampleSource().snapshot();
const found = (query: string) => payments.filter((payment) => matches(payment, filterOf(query)));

describe("the filter of payments", () => {
  it("offers every state of a payment", () => {
    expect(states.toSorted()).toEqual(paymentStates.toSorted());
  });

  it("finds a text in order, session, merchant and terminal, whatever its letters' case", () => {
    expect(found("text=ORDER-1004").map(({ orderId }) => orderId)).toEqual(["order-1004"]);
    expect(found("text=00000104-5a5a").map(({ orderId }) => orderId)).toEqual(["order-1004"]);
    expect(found("text=demo+kiosk")).toHaveLength(payments.length);
    expect(found("text=autopilot").every(({ terminalName }) => terminalName === "Autopilot")).toBe(true);
    expect(found("text=nothing+like+it")).toEqual([]);
  });

  it("narrows by state, by what has not ended, by terminal and by alert, all at once", () => {
    expect(new Set(found("status=declined").map(({ status }) => status))).toEqual(new Set(["declined"]));
    expect(new Set(found("status=open").map(({ status }) => status))).toEqual(
      new Set(["inProgress", "reconciling", "authorized", "pending"]),
    );
    const terminal = payments[3]?.terminalId ?? "";
    expect(found(`alerts=open&status=reconciling&terminal=${terminal}`)).toEqual([payments[3]]);
    expect(found("alerts=open&status=captured")).toEqual([]);
  });

  it("is whole again when it is read from the address that it was written to", () => {
    const filter = { text: "order #7 & more/€", status: "open", terminal: "t/1?", alerts: true };
    const { query } = routeOf(linkTo("payments", "partner/session?", queryOf(filter)));
    expect(filterOf(query)).toEqual(filter);
    expect(queryOf(filterOf(""))).toBe("");
  });
});

describe("an address of the page", () => {
  it("names a view, what is chosen there, and what its list is narrowed to", () => {
    expect(routeOf("#/payments/p/s%3F?status=open")).toEqual({
      place: "payments",
      chosen: "p/s?",
      query: "status=open",
    });
    expect(routeOf("#/alerts")).toEqual({ place: "alerts", chosen: undefined, query: "" });
  });

  it("leads to the counter where it is none of the page", () => {
    for (const hash of ["", "#/", "#/toString", "#/nothing/here", "#/%E0%A4%A"])
      expect(routeOf(hash).place).toBe("counter");
    expect(routeOf("#/mails/%E0%A4%A").chosen).toBe("%E0%A4%A");
  });
});

describe("a long list", () => {
  const list = { count: 2_000, rowHeight: 50, height: 600 };

  it("draws what is seen and a little beyond, and nothing else", () => {
    expect(visibleRows({ ...list, scrolled: 0 })).toEqual({ first: 0, end: 20 });
    const { first, end } = visibleRows({ ...list, scrolled: 50_010 });
    expect(first).toBeLessThanOrEqual(1_000);
    expect(end).toBeGreaterThanOrEqual(1_013);
    expect(end - first).toBeLessThan(40);
    expect(visibleRows({ ...list, scrolled: 99_400 }).end).toBe(2_000);
    expect(visibleRows({ ...list, count: 3, scrolled: 4_000 })).toEqual({ first: 3, end: 3 });
  });

  it("scrolls just so far that the next row is whole", () => {
    const box = { rowHeight: 50, scrolled: 500, height: 600 };
    expect(scrolledTo(15, box)).toBe(500);
    expect(scrolledTo(22, box)).toBe(550);
    expect(scrolledTo(9, box)).toBe(450);
  });

  it("moves nothing while it is read, shows how the items stand now, and counts the new ones", () => {
    const before = [
      { id: "b", status: "pending" },
      { id: "a", status: "pending" },
    ];
    const held = new Set(before.map(({ id }) => id));
    const now = [
      { id: "d", status: "pending" },
      { id: "c", status: "pending" },
      { id: "b", status: "captured" },
      { id: "a", status: "pending" },
    ];
    expect(heldList(now, held)).toEqual({ shown: now.slice(2), waiting: 2 });
    expect(heldList(now, undefined)).toEqual({ shown: now, waiting: 0 });
  });
});
