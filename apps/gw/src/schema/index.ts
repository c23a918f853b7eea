export { type ObjectSchema, object, strictObject } from './object.ts';
export type { Infer, JsonSchema, Schema } from './schema.ts';
export {
  array,
  boolean,
  instant,
  integer,
  literal,
  number,
  oneOf,
  record,
  string,
  stringOrNumber,
  trimmed,
  union,
  unknown,
} from './values.ts';
