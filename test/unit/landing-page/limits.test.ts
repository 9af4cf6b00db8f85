import { expect, it } from "vitest";
import { networkOf, newLimit } from "../../../examples/landing-page/limits.ts";

it.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["203.0.113.9:51234", "203.0.113.9"],
  ["[2001:db8:0:1::5]:51234", "2001:db8:0:1"],
  ["1:2:3:4:5:6:7:8:9:10", "1:2:3:4"],
  ["unknown", "unknown"],
  ["2001:DB8:0:1:2:3:4:5", "2001:db8:0:1"],
  ["2001:db8::5", "2001:db8:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
])("%s is counted as %s", (address, network) => expect(networkOf(address)).toBe(network));

it("returns how long until the oldest of the counted times has passed, and drops it then", () => {
  const count = newLimit({ most: 2, withinMs: 100 });
  expect([count("a", 0), count("a", 40), count("a", 50), count("b", 50)]).toEqual([
    undefined,
    undefined,
    50,
    undefined,
  ]);
  expect([count("a", 100), count("a", 101)]).toEqual([undefined, 39]);
});

it("drops the oldest name if there are too many, so that guessers cannot fill the memory", () => {
  const count = newLimit({ most: 1, withinMs: 1_000 });
  for (let n = 0; n <= 10_000; n++) count(`name ${n}`, 0);
  expect([count("name 1", 0), count("name 0", 0)]).toEqual([1_000, undefined]);
});
