import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const TEXT = new Set(
  '.ts .js .mjs .cjs .mts .cts .tsx .jsx .json .md .markdown .txt .yml .yaml .map .css .scss .html .toml .lock .c .h .cc .cpp .py .sh .xml .svg .flow .snap .wat .pem .crt'.split(
    ' ',
  ),
);

/** Text files below a directory, in a stable order, up to 8 MB each. */
export function* textFiles(directory: string): Generator<string> {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* textFiles(path);
    else if (entry.isFile() && (TEXT.has(extname(path)) || !entry.name.includes('.')) && statSync(path).size < 8e6)
      yield path;
  }
}

/** No zero byte at the beginning: such a file is a program or an image. */
export function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4096).includes(0);
}
