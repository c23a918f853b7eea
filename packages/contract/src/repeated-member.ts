/** An object or an array that was begun and has not ended. */
interface Open {
  /** The names that an object has had so far; null for an array. */
  readonly names: Set<string> | null;
  /** Whether the next string is the name of a member. */
  isBeforeName: boolean;
  /** The member that is being read. */
  name: string;
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function pathOf(open: readonly Open[]): string {
  const objects = open.filter(({ names }) => names !== null);
  return objects.map(({ name }) => name).join('.');
}

/**
 * The first member that an object of a JSON text holds twice, by its dotted path; null where there is none. Which of the two counts is
 * left open (RFC 8259, section 4), so whoever wrote the text may mean the one that is dropped. Two spellings of a name are one name.
 * @param json a text that `JSON.parse` took
 */
export function repeatedMember(json: string): string | null {
  const open: Open[] = [];
  for (let place = 0; place < json.length; place += 1) {
    const character = json[place];
    const inside = open.at(-1);
    if (character === '{') open.push({ names: new Set(), isBeforeName: true, name: '' });
    else if (character === '[') open.push({ names: null, isBeforeName: false, name: '' });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && inside !== undefined) inside.isBeforeName = inside.names !== null;
    else if (character === '"') {
      const end = endOfString(json, place);
      if (inside?.isBeforeName) {
        inside.name = JSON.parse(json.slice(place, end + 1)) as string;
        inside.isBeforeName = false;
        if (inside.names?.has(inside.name)) return pathOf(open);
        inside.names?.add(inside.name);
      }
      place = end;
    }
  }
  return null;
}
