export type { Infer, JsonSchema, Schema } from './schema.ts';
export {
  array,
  boolean,
  instant,
  integer,
  literal,
  number,
  type ObjectSchema,
  object,
  oneOf,
  record,
  strictObject,
  string,
  stringOrNumber,
  trimmed,
  union,
  unknown,
} from './values.ts';
