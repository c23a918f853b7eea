/**
 * Parses rows of CSV (RFC 4180): fields in quotes may contain separators, quotes and line breaks. The separator is the comma,
 * or the semicolon if the first line has more of them, as spreadsheets of many countries write it.
 */
export function rowsOfCsv(text: string): readonly { readonly line: number; readonly fields: readonly string[] }[] {
  const whole = text.replace(/^\ufeff/, '');
  const [head = ''] = whole.split('\n', 1);
  const separator = head.split(';').length > head.split(',').length ? ';' : ',';
  const rows: { line: number; fields: string[] }[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let start = 1;
  const endRow = () => {
    fields.push(field.trim());
    if (fields.some((one) => one !== '')) rows.push({ line: start, fields });
    [fields, field] = [[], ''];
  };
  for (let at = 0; at < whole.length; at += 1) {
    const character = whole[at] ?? '';
    if (character === '\n') line += 1;
    if (quoted) {
      if (character !== '"') field += character;
      else if (whole[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"' && field.trim() === '') [quoted, field] = [true, ''];
    else if (character === separator) {
      fields.push(field.trim());
      field = '';
    } else if (character === '\n') {
      endRow();
      start = line;
    } else if (character !== '\r') field += character;
  }
  endRow();
  return rows;
}

/** Encodes a CSV field. A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export const csvField = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
