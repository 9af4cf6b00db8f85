type Accepts = (value: string) => boolean;

const INT32 = 2n ** 31n;
const INT64 = 2n ** 63n;

const isInteger =
  (bound: bigint): Accepts =>
  (value) =>
    /^[+-]?\d+$/.test(value) && BigInt(value.replace("+", "")) >= -bound && BigInt(value.replace("+", "")) < bound;
const isNumber: Accepts = (value) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
const isGuid: Accepts = (value) =>
  /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\})$/i.test(
    value,
  );

const plain: Readonly<Record<string, Accepts>> = {
  guid: isGuid,
  int: isInteger(INT32),
  long: isInteger(INT64),
  double: isNumber,
  float: isNumber,
  decimal: isNumber,
  bool: (value) => /^(true|false)$/i.test(value),
  alpha: (value) => /^[a-z]*$/i.test(value),
  datetime: (value) => !Number.isNaN(Date.parse(value)),
};

const withArguments: Readonly<Record<string, (text: string) => Accepts>> = {
  length: (text) => {
    const [shortest = 0, longest = shortest] = text.split(",").map(Number);
    return ({ length }) => length >= shortest && length <= longest;
  },
  minlength: (text) => (value) => value.length >= Number(text),
  maxlength: (text) => (value) => value.length <= Number(text),
  min: (text) => (value) => isNumber(value) && Number(value) >= Number(text),
  max: (text) => (value) => isNumber(value) && Number(value) <= Number(text),
  range: (text) => {
    const [lowest = 0, highest = 0] = text.split(",").map(Number);
    return (value) => isNumber(value) && Number(value) >= lowest && Number(value) <= highest;
  },
  regex: (text) => {
    const pattern = new RegExp(text, "i");
    return (value) => pattern.test(value);
  },
};

/** The check of one constraint of a route parameter, such as `guid`, `int` or `length(1,20)`. Throws if the constraint is unknown. */
export function routeConstraint(text: string): Accepts {
  const [, name = "", , argument] = /^(\w+)(\((.*)\))?$/.exec(text) ?? [];
  const accepts = argument === undefined ? plain[name] : withArguments[name]?.(argument);
  if (!accepts) throw new Error(`there is no route constraint "${text}"`);
  return accepts;
}
