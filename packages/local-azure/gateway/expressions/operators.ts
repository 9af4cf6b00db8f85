import type { Type } from "../call.ts";
import { demand, toText, type Compiled } from "./compiled.ts";
import type { BinaryOperator } from "./parser.ts";
import { ExpressionFault } from "./tokens.ts";

/** Combines two values. Throws for types that C# would reject. */
type Combine = (left: Compiled, right: Compiled) => Compiled;

/** The operators between two values. */
export const operators: Readonly<Record<BinaryOperator, Combine>> = {
  "??": coalesced,
  "||": logical("||", true),
  "&&": logical("&&", false),
  "==": equality("==", true),
  "!=": equality("!=", false),
  "<": comparison("<", (a, b) => a < b),
  ">": comparison(">", (a, b) => a > b),
  "<=": comparison("<=", (a, b) => a <= b),
  ">=": comparison(">=", (a, b) => a >= b),
  "+": concatenated,
};

function coalesced(left: Compiled, right: Compiled): Compiled {
  demandOfBoth(left, right, "string", "??");
  return { type: "string", read: (call) => left.read(call) ?? right.read(call) };
}

/** If the left side equals `stops`, the right side is not read. */
function logical(operator: BinaryOperator, stops: boolean): Combine {
  return (left, right) => {
    demandOfBoth(left, right, "bool", operator);
    return { type: "bool", read: (call) => ((left.read(call) === true) === stops ? stops : right.read(call)) };
  };
}

function equality(operator: BinaryOperator, whenEqual: boolean): Combine {
  return (left, right) => {
    const comparable = left.type === right.type || [left.type, right.type].toSorted().join() === "null,string";
    // C# compares objects by reference, so two equal numbers would differ.
    if (!comparable || left.type === "object")
      throw new ExpressionFault(`${left.type} ${operator} ${right.type} does not compile in C#`);
    return { type: "bool", read: (call) => (left.read(call) === right.read(call)) === whenEqual };
  };
}

function comparison(operator: BinaryOperator, holds: (a: number, b: number) => boolean): Combine {
  return (left, right) => {
    demandOfBoth(left, right, "int", operator);
    return { type: "bool", read: (call) => holds(Number(left.read(call)), Number(right.read(call))) };
  };
}

function concatenated(left: Compiled, right: Compiled): Compiled {
  if (left.type !== "string" && right.type !== "string") {
    throw new ExpressionFault("+ is for strings: arithmetic is outside the subset");
  }
  return { type: "string", read: (call) => toText(left.read(call)) + toText(right.read(call)) };
}

function demandOfBoth(left: Compiled, right: Compiled, type: Type, where: string): void {
  demand(left, type, where);
  demand(right, type, where);
}
