/** Insertions, deletions, substitutions and transpositions of neighbours that turn one text into the other; `most` + 1 for more. */
export function editsBetween(one: string, other: string, most: number): number {
  const width = other.length + 1;
  if (Math.abs(one.length - other.length) > most) return most + 1;
  if (width === 1) return one.length;
  let [before, above, row] = [
    new Uint8Array(width),
    Uint8Array.from({ length: width }, (_, at) => at),
    new Uint8Array(width),
  ];
  for (let i = 1; i <= one.length; i += 1) {
    row.fill(most + 1);
    row[0] = i;
    let least = i;
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j += 1) {
      const same = one[i - 1] === other[j - 1];
      let edits = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      }
      row[j] = edits;
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    [before, above, row] = [above, row, before];
  }
  return Math.min(most + 1, above[other.length] ?? 0);
}
