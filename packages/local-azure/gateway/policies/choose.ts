import { PolicyFault } from "../policy-fault.ts";
import { compileCondition } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, childrenOf } from "./shape.ts";

/** Runs the content of the first `when` whose condition is true, or else of `otherwise`. */
export const choose: Policy = {
  sections: ["inbound", "outbound", "on-error"],
  scopes: everyScope,
  compile(element, surroundings) {
    attributesOf(element, []);
    const branches = childrenOf(element, ["when", "otherwise"]).map((branch, index, all) => {
      const isLast = index === all.length - 1;
      if (branch.text !== "") throw new PolicyFault(branch, `<${branch.name}> holds text, which is not understood.`);
      if (branch.name === "otherwise") {
        attributesOf(branch, []);
        if (!isLast || index === 0)
          throw new PolicyFault(branch, "<otherwise> is the last, after at least one <when>.");
        return { holds: () => true, run: surroundings.compile(branch.children) };
      }
      const { condition } = attributesOf(branch, ["condition"], [], ["condition"]);
      return { holds: compileCondition(condition, branch), run: surroundings.compile(branch.children) };
    });
    if (branches.length === 0) throw new PolicyFault(element, "<choose> needs a <when>.");
    return (call) => branches.find(({ holds }) => holds(call))?.run(call) ?? "next";
  },
};
