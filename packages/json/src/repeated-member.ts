import { JsonTokenizer } from './tokenizer.ts';

/** The names of one object, or null for an array, and the member that is being read. */
interface Open {
  readonly names: Set<string> | null;
  name: string;
}

/**
 * The dotted path of the first member that an object of a JSON text contains twice; null for none. RFC 8259, section 4, leaves
 * open which of the two counts, so the author may mean the dropped one. Two spellings of a name are one name.
 * @param json a text that `JSON.parse` accepted.
 */
export function findRepeatedMember(json: string): string | null {
  const open: Open[] = [];
  let repeated: string | null = null;
  const tokenizer = new JsonTokenizer(
    {
      open: (isObject) => void open.push({ names: isObject ? new Set() : null, name: '' }),
      close: () => void open.pop(),
      name() {
        const object = open.at(-1);
        if (object === undefined) return;
        object.name = tokenizer.name;
        if (object.names?.has(object.name) === true) {
          repeated = open.flatMap(({ names, name }) => (names === null ? [] : [name])).join('.');
          tokenizer.stop();
        }
        object.names?.add(object.name);
      },
    },
    { longestName: Number.POSITIVE_INFINITY },
  );
  tokenizer.push(Buffer.from(json));
  return repeated;
}
