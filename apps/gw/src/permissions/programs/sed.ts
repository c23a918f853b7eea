import { has, type Program, type UseBuilder, valuesOf } from './program.ts';
import { type Item, literal, literalOf } from './word.ts';

export const SED: Program = {
  names: 'sed gsed',
  options: `-n,--quiet,--silent -e,--expression: -E,-r,--regexp-extended -s,--separate -u,--unbuffered -z,--null-data --posix --debug
    --sandbox -b,--binary -l,--line-length: --follow-symlinks! -f,--file!< -i,--in-place!? -I!`,
  judge(given, use) {
    const scripts = valuesOf(given, '-e');
    const first = has(given, '-e', '-f') ? [] : given.operands.slice(0, 1);
    for (const item of [...scripts, ...first]) judgeScript(item, use);
    const files = given.operands.slice(first.length);
    // `sed -i` writes the files, and a suffix keeps a copy beside them.
    const writes = has(given, '-i', '-I');
    for (const item of files) {
      use.path('reads', item);
      if (writes) use.path('writes', item);
    }
  },
};

function judgeScript(item: Item, use: UseBuilder): void {
  const text = literalOf(item);
  const found = text === null ? null : readScript(text);
  const name = (path: string): Item => ({ word: { ...item.word, ...literal(path) }, at: item.at });
  if (found === null) {
    use.acts = true;
    use.beyond(item.at);
    // Where the script is not understood, the words in it may name files.
    for (const [, path = ''] of (text ?? '').matchAll(/[wWrR]\s*(\S[^\n;}]*)/g)) use.path('writes', name(path.trim()));
    return;
  }
  for (const path of found.reads) use.path('reads', name(path));
  for (const path of found.writes) use.path('writes', name(path));
  use.lines.push(...found.lines.map(literal));
  if (found.writes.length > 0 || found.runs) {
    use.acts = true;
    use.beyond(item.at);
  }
}

interface Script {
  readonly reads: string[];
  readonly writes: string[];
  readonly lines: string[];
  runs: boolean;
}

/** The files that a script of sed names and the commands that it runs; null where it is not understood. */
export function readScript(text: string): Script | null {
  const script: Script = { reads: [], writes: [], lines: [], runs: false };
  let at = 0;
  const skip = (pattern: RegExp): string => {
    const found = new RegExp(pattern.source, 'y');
    found.lastIndex = at;
    const match = found.exec(text)?.[0] ?? '';
    at += match.length;
    return match;
  };
  /** The text up to a delimiter; null where there is none. */
  const upTo = (delimiter: string, isPattern: boolean): string | null => {
    const from = at;
    let inClass = false;
    for (; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === '\\') at += 1;
      else if (isPattern && inClass) inClass = sign !== ']' || text[at - 1] === '[' || text.slice(at - 2, at) === '[^';
      else if (isPattern && sign === '[') inClass = true;
      else if (sign === delimiter) return text.slice(from, at++);
      // A bracket that does not end: sed may see the delimiter where this does not.
      if (inClass && sign === delimiter) return null;
    }
    return null;
  };
  const restOfLine = (): string => skip(/[^\n]*/).trim();
  const isStream = (path: string): boolean => /^\/dev\/std(?:out|err)$/.test(path);
  const address = (): boolean => {
    if (skip(/\d+(?:~\d+)?|\$|[+~]\d+/) !== '') return true;
    if (text[at] !== '/' && text[at] !== '\\') return true;
    if (text[at] === '\\') at += 1;
    const delimiter = text[at] ?? '';
    at += 1;
    if (delimiter === '' || delimiter === '\n' || upTo(delimiter, true) === null) return false;
    skip(/[IM]+/);
    return true;
  };
  while (at < text.length) {
    skip(/[\s;]+/);
    if (at >= text.length) break;
    if (!address()) return null;
    skip(/\s*/);
    if (text[at] === ',') {
      at += 1;
      skip(/\s*/);
      if (!address()) return null;
    }
    skip(/[\s!]*/);
    const command = text[at];
    at += 1;
    switch (command) {
      case undefined:
        return null;
      case '{':
        continue;
      case '}':
      case '=':
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z':
      case 'F':
        break;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        skip(/\s*\d*/);
        break;
      case '#':
        skip(/[^\n]*/);
        continue;
      case 'b':
      case 't':
      case 'T':
      case ':':
        skip(/[ \t]*[^\s;}]*/);
        break;
      case 'a':
      case 'i':
      case 'c':
        if (skip(/[^\n]*/).endsWith('\\')) return null; // text of several lines
        continue;
      case 'r':
      case 'R':
        script.reads.push(restOfLine());
        continue;
      case 'w':
      case 'W': {
        const path = restOfLine();
        if (!isStream(path)) script.writes.push(path);
        continue;
      }
      case 'e': {
        script.runs = true;
        const line = restOfLine();
        if (line !== '') script.lines.push(line);
        continue;
      }
      case 's':
      case 'y': {
        const delimiter = text[at] ?? '';
        at += 1;
        if (delimiter === '' || /[\n\\]/.test(delimiter)) return null;
        const isPattern = command === 's';
        if (upTo(delimiter, isPattern) === null) return null;
        const replacement = upTo(delimiter, false);
        if (replacement === null) return null;
        if (!isPattern) break;
        const flags = skip(/[gpIiMm\d]*/);
        if (text[at] === 'e' || flags.includes('e')) {
          script.runs = true;
          script.lines.push(replacement);
          at += 1;
          skip(/[gpIiMm\de]*/);
        }
        if (text[at] === 'w') {
          at += 1;
          const path = restOfLine();
          if (!isStream(path)) script.writes.push(path);
          continue;
        }
        break;
      }
      default:
        return null;
    }
    skip(/[ \t]*/);
    if (at < text.length && !/[\n;}#]/.test(text[at] ?? '')) return null;
  }
  return script;
}
