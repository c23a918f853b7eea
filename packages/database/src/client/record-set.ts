/** How a JSON array of objects becomes rows of a table. */
export interface RecordSet {
  /** The columns for the members of an object: `keyId` is stored in `key_id`. */
  readonly columns: string;
  /** A call that returns the objects in the parameter of this number, as an item of `rows from`. */
  readonly objects: (parameter: number) => string;
  /** The same as a source to select the columns from. */
  readonly rows: (parameter: number) => string;
}

/**
 * A batch is sent as one JSON text, which costs a gateway a fraction of a list per column, and needs one prepared statement for
 * batches of every size.
 * @param types of the columns, by the member of an object that they store
 */
export function recordSet(types: Readonly<Record<string, string>>): RecordSet {
  const names = Object.keys(types);
  const columns = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ');
  const members = names.map((name) => `"${name}" ${types[name]}`).join(', ');
  // A text first: the client would write a parameter of the type json as JSON once more. As jsonb, a row takes the server twice the time.
  const objects = (parameter: number): string => `json_to_recordset($${parameter}::text::json) as (${members})`;
  const rows = (parameter: number): string => `rows from (${objects(parameter)}) as record (${columns})`;
  return { columns, objects, rows };
}
