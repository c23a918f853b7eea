/** Tags that models wrap their thinking in. Other tags are part of the answer: types, markup, code. */
const MARKERS = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|system-reminder';
const BLOCK = new RegExp(`^[ \\t]*<(${MARKERS})>[\\s\\S]*?(?:</\\1>|$(?![\\s\\S]))`, 'gim');
const FENCE = /^(?: {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;

/**
 * An answer without markers such as `<think>…</think>` and their content, without runs of blanks and of blank lines. Fenced
 * code does not change.
 */
export function silence(answer: string): string {
  const parts: string[] = [];
  let from = 0;
  const text = answer.replace(BLOCK, (block: string, _name: string, at: number) => (isFenced(answer, at) ? block : ''));
  for (const fence of text.matchAll(FENCE)) {
    parts.push(squeeze(text.slice(from, fence.index)), fence[0]);
    from = fence.index + fence[0].length;
  }
  parts.push(squeeze(text.slice(from)));
  return parts.join('').trim();
}

function isFenced(text: string, at: number): boolean {
  return [...text.matchAll(FENCE)].some((fence) => fence.index <= at && at < fence.index + fence[0].length);
}

/** Leading indentation is kept: it has a meaning in Markdown. */
function squeeze(text: string): string {
  return text
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/(\S)[ \t]{2,}/g, '$1 ')
    .replaceAll(/\n{3,}/g, '\n\n');
}
