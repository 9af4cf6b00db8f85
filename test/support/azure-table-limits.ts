import type { Columns, Operation } from "../../shared/ports/rows.ts";

// The limits of Azure's Table Storage. Azurite does not have all of them. Sizes are in bytes, and a character of a text or a key has two.

const MOST_OPERATIONS = 100;
const MOST_PROPERTIES = 252;
const MOST_KEY = 1024;
const MOST_PROPERTY = 64 * 1024;
const MOST_ENTITY = 1024 * 1024;
const MOST_GROUP = 4 * 1024 * 1024;
// oxlint-disable-next-line no-control-regex -- these are what Azure forbids
const forbiddenInKey = /[/\\#?\u0000-\u001f\u007f-\u009f]/;
const propertyName = /^[A-Za-z_]\w{0,254}$/;

const bytesOf = (text: string): number => 2 * text.length;

function whyNoKey(key: string): string | undefined {
  if (forbiddenInKey.test(key)) return `the key ${JSON.stringify(key)} has a forbidden character`;
  return bytesOf(key) > MOST_KEY ? `the key ${key} is too long` : undefined;
}

type Property = readonly [string, Columns[string]];

function whyNoProperty([name, value]: Property): string | undefined {
  if (!propertyName.test(name)) return `the property ${name} has no valid name`;
  return typeof value === "string" && bytesOf(value) > MOST_PROPERTY ? `the property ${name} is too large` : undefined;
}

const propertiesOf = (operation: Operation): readonly Property[] =>
  "columns" in operation ? Object.entries(operation.columns).filter(([, value]) => value !== undefined) : [];

/** The size of an entity by Microsoft's formula, and 0 for an operation that writes none. */
function sizeOf(partitionKey: string, operation: Operation): number {
  if (!("columns" in operation)) return 0;
  const properties = propertiesOf(operation).map(
    ([name, value]) => 8 + bytesOf(name) + (typeof value === "string" ? bytesOf(value) + 4 : 8),
  );
  return properties.reduce((sum, size) => sum + size, 4 + bytesOf(partitionKey) + bytesOf(operation.rowKey));
}

function whyNoEntity(partitionKey: string, operation: Operation): string | undefined {
  const properties = propertiesOf(operation);
  if (properties.length > MOST_PROPERTIES) return `${operation.rowKey} has too many properties`;
  if (sizeOf(partitionKey, operation) > MOST_ENTITY) return `${operation.rowKey} is too large`;
  return whyNoKey(operation.rowKey) ?? properties.map(whyNoProperty).find((why) => why !== undefined);
}

/** Why Azure refuses a group of operations on one partition, in words. Undefined if it does not. */
export function whyAzureRefuses(partitionKey: string, operations: readonly Operation[]): string | undefined {
  if (operations.length > MOST_OPERATIONS) return "the group has too many operations";
  const twice = operations.find(({ rowKey }, at) => operations.findIndex((one) => one.rowKey === rowKey) < at);
  if (twice) return `the group of ${partitionKey} has the row ${twice.rowKey} twice`;
  if (operations.reduce((sum, operation) => sum + sizeOf(partitionKey, operation), 0) > MOST_GROUP)
    return "the group is too large";
  const why = operations.map((operation) => whyNoEntity(partitionKey, operation));
  return whyNoKey(partitionKey) ?? why.find((one) => one !== undefined);
}
