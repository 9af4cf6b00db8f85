import * as z from "zod";

/**
 * The names under which a record of this schema is stored. Each member has its path (`charges[].amount`), and each value of an enumeration
 * its member (`status=pending`). In alphabetical order, each once. Throws for a kind of schema that no record uses yet.
 */
export function namesIn(schema: z.core.$ZodType): readonly string[] {
  return [...new Set(namesBelow(schema, ""))].toSorted();
}

function namesBelow(schema: z.core.$ZodType, path: string): readonly string[] {
  if (schema instanceof z.ZodOptional) return namesBelow(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return namesBelow(schema.element, `${path}[]`);
  if (schema instanceof z.ZodRecord) return namesBelow(schema.valueType, `${path}{}`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => namesBelow(option, path));
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => `${path}=${value}`);
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => `${path}=${String(value)}`);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, member]) => {
      const own = path === "" ? name : `${path}.${name}`;
      return [own, ...namesBelow(member, own)];
    });
  }
  if (plain.some((kind) => schema instanceof kind)) return [];
  throw new Error(`no names for a schema of the kind ${schema._zod.def.type}`);
}

const plain = [z.ZodString, z.ZodISODateTime, z.ZodISODate, z.ZodNumber, z.ZodBoolean, z.ZodUnknown];
