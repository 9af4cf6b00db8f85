import { describe, expect, it } from "vitest";
import type { Api } from "../../declaration.ts";
import { router } from "../../router.ts";

const api = (id: string, path: string, ...templates: readonly string[]): Api => ({
  id,
  path,
  subscriptionRequired: false,
  operations: templates.map((urlTemplate) => ({ id: urlTemplate, method: "GET", urlTemplate })),
});

const route = router(
  [
    api("rest", "", "/things/{thing}", "/shops", "/a/b/c"),
    api("shop", "shop", "/", "/{name}"),
    api("deep", "a/b", "/d"),
  ],
  ({ id }, operation) => `${id} ${operation.id}`,
);

describe("a path belongs to the API with the longest path that it begins with", () => {
  it.each([
    ["/things/7", "rest /things/{thing}", "/things/7"],
    ["/shop", "shop /", "/"],
    ["/shop/", "shop /", "/"],
    ["/SHOP/north", "shop /{name}", "/north"],
    ["/shops", "rest /shops", "/shops"],
    ["/a/b/d", "deep /d", "/d"],
  ])("%s", (path, target, backend) => {
    expect(route("GET", path)).toMatchObject({ target, path: backend });
  });

  it.each(["/", "/shop/north/1", "/things", "/things/7/", "//shop", "/a/b/c", "/a"])(
    "and to no other, where that has no such operation: %s",
    (path) => {
      expect(route("GET", path)).toBeUndefined();
    },
  );
});
