import type { Page } from './get.ts';

/** The text of a page; null where it is none. HTML becomes plain text with its links. */
export async function textOfPage({ body, type }: Page): Promise<string | null> {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? [];
  const isText = type === '' || /^text\/|[/+](?:json|xml|javascript|yaml|x-ndjson)\b/i.test(type);
  if (!isText || body.subarray(0, 4096).includes(0)) return null;
  const text = decoderOf(charset).decode(body);
  if (!/html/i.test(type)) return text;
  const { convert } = await import('html-to-text');
  return convert(text, {
    wordwrap: false,
    limits: { maxInputLength: undefined, maxDepth: 200 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'style', format: 'skip' },
      { selector: 'a', options: { ignoreHref: false, hideLinkHrefIfSameAsText: true } },
      ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
