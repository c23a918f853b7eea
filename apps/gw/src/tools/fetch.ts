import { errorCode } from '@gateway/contract/error-code';
import { type Tool, ToolFailed, type ToolResult } from '../agent/types/index.ts';
import { atProxy } from '../process/network.ts';
import * as s from '../schema/index.ts';
import { defineTool } from './define.ts';
import { getPage, type Page } from './get.ts';
import { FETCH_BYTES, FETCH_CHARACTERS } from './jobs.ts';

/** Redirects within one host. */
const MOST_REDIRECTS = 5;

const address = s
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address');

/** @param proxies variables that name the organization's proxies */
export function createFetch(proxies: Readonly<Record<string, string>>): Tool {
  return defineTool({
    name: 'Fetch',
    description: `Gets an http or https address and gives its text; HTML becomes plain text. At most ${FETCH_CHARACTERS} characters. A redirect to another host is reported and not followed.`,
    schema: s.object({ url: address.describe('The address.') }),
    effect: 'network',
    target: ({ url }) => ({ kind: 'host', value: URL.parse(url)?.host ?? url }),
    preview: async ({ url }) => ({ kind: 'text', text: url }),
    async run({ url }, context) {
      return follow(new URL(url), context.signal, proxies, 0);
    },
  });
}

async function follow(
  url: URL,
  signal: AbortSignal,
  proxies: Readonly<Record<string, string>>,
  redirects: number,
): Promise<ToolResult> {
  if (url.username !== '' || url.password !== '')
    throw new ToolFailed('The address holds a user name or password: leave it out.');
  const page = await getPage(url, signal, proxies).catch((reason: unknown) => {
    if (signal.aborted) throw reason;
    const error = atProxy(reason, url.href, new Map(Object.entries(proxies)));
    throw new ToolFailed(
      `${url.host} cannot be reached: ${error instanceof Error ? error.message || errorCode(error) || error.name : String(error)}`,
    );
  });
  if (page.status >= 300 && page.status < 400 && page.location !== null) {
    const target = URL.parse(page.location, url.href);
    if (target === null || !/^https?:$/.test(target.protocol))
      return {
        outcome: 'failed',
        content: `${url.href} redirects to ${page.location}, which is not an http or https address.`,
      };
    const same = target.host === url.host && !(url.protocol === 'https:' && target.protocol === 'http:');
    if (!same)
      return {
        outcome: 'failed',
        content: `${url.href} redirects to another host. Call Fetch with ${target.href} if you need it.`,
      };
    if (redirects === MOST_REDIRECTS)
      return { outcome: 'failed', content: `${url.href} redirects more than ${MOST_REDIRECTS} times.` };
    return follow(target, signal, proxies, redirects + 1);
  }
  return resultOf(url, page);
}

async function resultOf(url: URL, page: Page): Promise<ToolResult> {
  const text = await textOfPage(page);
  const success = page.status >= 200 && page.status < 300;
  const head = success ? '' : `${url.href} answered ${page.status}.\n`;
  if (text === null)
    return { outcome: 'failed', content: `${head}The answer is not text (${page.type}, ${page.body.length} bytes).` };
  const left = text.length - FETCH_CHARACTERS;
  const notes = [
    ...(left > 0
      ? [`[${left} more characters were left out: fetch a more specific address, or use Bash with curl and a filter]`]
      : []),
    ...(page.cut ? [`[Only the first ${FETCH_BYTES} bytes were read]`] : []),
  ];
  const shown = left > 0 ? text.slice(0, FETCH_CHARACTERS).toWellFormed() : text;
  return {
    outcome: success ? 'succeeded' : 'failed',
    content: [head + (shown === '' ? '(no text)' : shown), ...notes].join('\n'),
  };
}

/** The text of a page; null where it is none. HTML becomes plain text with its links. */
async function textOfPage({ body, type }: Page): Promise<string | null> {
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
