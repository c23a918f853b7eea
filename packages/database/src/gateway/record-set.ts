/** How a JSON array of objects becomes rows of a table. */
export interface RecordSet {
  /** The members with their types, as `json_to_recordset` wants them declared. */
  readonly members: string;
  /** The columns that keep them, in the same order: `keyId` is kept in `key_id`. */
  readonly columns: string;
}

/**
 * A batch goes to the server as one JSON text, which costs a gateway a fraction of a list for each column, and keeps one
 * prepared statement for batches of every size.
 * @param types of the columns, by the member of an object that they keep
 */
export function recordSet(types: Readonly<Record<string, string>>): RecordSet {
  const names = Object.keys(types);
  return {
    members: names.map((name) => `"${name}" ${types[name]}`).join(', '),
    columns: names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', '),
  };
}
